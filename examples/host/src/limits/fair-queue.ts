/** A queue that is fair between projects: each gets its turn, however much another has waiting. */

/** The items that wait; mutable. */
export interface FairQueue<Item> {
  /** Adds behind the project's other items, or, with `isFirst`, before them. */
  add(project: string, item: Item, isFirst?: boolean): void;
  /**
   * Takes items, one of each project in turn: at most this many, and of this size together unless the first is larger.
   */
  take(most: number, mostSize?: number, sizeOf?: (item: Item) => number): readonly Item[];
  /** Takes the first item of the next project that may have a turn; undefined if none may. */
  takeOne(may: (project: string) => boolean): Item | undefined;
  /** Takes all items of a project. */
  takeAllOf(project: string): readonly Item[];
  /** Takes an item out before its turn, if it waits. */
  remove(project: string, item: Item): void;
  countOf(project: string): number;
  readonly size: number;
}

/** The items of one project; those before `next` were taken. */
interface Line<Item> {
  items: Item[];
  next: number;
}

/** Taken items are let go of when there are this many. */
const COMPACT_AT = 64;

/** An empty queue. */
export function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order of their turns; each has an item at least. */
  const lines = new Map<string, Line<Item>>();
  let size = 0;
  const takeFirst = (project: string, line: Line<Item>, item: Item): Item => {
    line.next++;
    size--;
    lines.delete(project);
    if (line.next < line.items.length) lines.set(project, compacted(line));
    return item;
  };
  return {
    add(project, item, isFirst = false) {
      const line = lines.get(project) ?? { items: [], next: 0 };
      if (isFirst) line.items.splice(line.next, 0, item);
      else line.items.push(item);
      size++;
      lines.set(project, line);
    },
    take(most, mostSize = Infinity, sizeOf = () => 0) {
      const taken: Item[] = [];
      let room = mostSize;
      // A project that has had its turn goes to the end, where this loop meets it again.
      for (const [project, line] of lines) {
        const item = line.items[line.next] as Item;
        room -= sizeOf(item);
        if (taken.length >= most || (taken.length > 0 && room < 0)) break;
        taken.push(takeFirst(project, line, item));
      }
      return taken;
    },
    takeOne(may) {
      for (const [project, line] of lines) {
        if (may(project)) return takeFirst(project, line, line.items[line.next] as Item);
      }
      return undefined;
    },
    takeAllOf(project) {
      const line = lines.get(project);
      if (line === undefined) return [];
      lines.delete(project);
      const items = line.items.slice(line.next);
      size -= items.length;
      return items;
    },
    remove(project, item) {
      const line = lines.get(project);
      const at = line?.items.indexOf(item, line.next) ?? -1;
      if (line === undefined || at < 0) return;
      line.items.splice(at, 1);
      size--;
      if (line.next === line.items.length) lines.delete(project);
    },
    countOf: (project) => countIn(lines.get(project)),
    get size() {
      return size;
    },
  };
}

const countIn = (line: Line<unknown> | undefined): number =>
  line === undefined ? 0 : line.items.length - line.next;

function compacted<Item>(line: Line<Item>): Line<Item> {
  if (line.next >= COMPACT_AT) {
    line.items = line.items.slice(line.next);
    line.next = 0;
  }
  return line;
}

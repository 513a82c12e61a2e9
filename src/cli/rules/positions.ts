/**
 * The positions of JSON pointers in a text, found in one pass, however deep the text is and however many pointers there
 * are.
 */
import { JsonTokens, type LineAndColumn } from '../../slim/index.js';

/** A value that is asked for, or on the way to one. */
interface Wanted {
  readonly children: Map<string, Wanted>;
  value: LineAndColumn;
  /** The position of the member's name. */
  name: LineAndColumn;
  /**
   * Counts how often the value was found, and how often its parent had been by then: of repeated names, the last
   * counts.
   */
  found: number;
  parentFound: number;
}

const START: LineAndColumn = { line: 1, column: 1 };
const wanted = (): Wanted => ({ children: new Map(), value: START, name: START, found: 0, parentFound: 0 });

/** A pointer, and whether the name of the value is meant. */
export interface Request {
  /** RFC 6901. */
  readonly pointer: string;
  readonly ofName: boolean;
}

/**
 * The position of each pointer. If it leads nowhere, that of the innermost value on the way that exists.
 *
 * @param text - JSON.
 */
export function positionsOf(text: string, requests: readonly Request[]): readonly LineAndColumn[] {
  const root = wanted();
  const trails = requests.map(({ pointer }) => trailOf(root, pointer));
  walk(text, root);
  return trails.map((trail, i) => {
    const { target, isThere } = innermost(root, trail);
    return isThere && requests[i]?.ofName === true ? target.name : target.value;
  });
}

/** A name that its object has already. */
export interface RepeatedName extends LineAndColumn {
  readonly name: string;
  /** Index in the outermost array; 0 if the outermost value is not an array. */
  readonly index: number;
}

/**
 * Every name that its object has already. Of equal names the last one counts, and `JSON.parse` says nothing.
 *
 * @param text - JSON.
 */
export const repeatedNames = (text: string): readonly RepeatedName[] => walk(text, wanted());

/** The tokens of a pointer; adds the values on its way. */
function trailOf(root: Wanted, pointer: string): readonly string[] {
  const tokens = pointer.split('/').slice(1);
  const trail = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = root;
  for (const key of trail) {
    const child = at.children.get(key) ?? wanted();
    at.children.set(key, child);
    at = child;
  }
  return trail;
}

function innermost(root: Wanted, trail: readonly string[]): { target: Wanted; isThere: boolean } {
  let target = root;
  for (const key of trail) {
    const child = target.children.get(key);
    if (child === undefined || child.found === 0 || child.parentFound !== target.found) {
      return { target, isThere: false };
    }
    target = child;
  }
  return { target, isThere: trail.length > 0 };
}

/** A container that is open. */
interface Frame {
  readonly node: Wanted | undefined;
  /** The index of the next element; null in an object. */
  index: number | null;
  /** The names of an object so far, and the one whose value comes next. */
  readonly names: Set<string>;
  name: string;
  namePosition: LineAndColumn;
}

const NO_NAMES = new Set<string>();

/** Fills in every wanted value that exists; returns the repeated names. */
function walk(text: string, root: Wanted): readonly RepeatedName[] {
  const repeated: RepeatedName[] = [];
  const tokens = new JsonTokens(text);
  const frames: Frame[] = [];
  /** A value begins here; returns it if it is wanted. */
  const begin = (): Wanted | undefined => {
    const frame = frames.at(-1);
    const node = frame === undefined ? root : frame.node?.children.get(String(frame.index ?? frame.name));
    if (typeof frame?.index === 'number') frame.index++;
    if (node === undefined) return undefined;
    node.value = tokens.position();
    node.name = frame?.namePosition ?? START;
    node.parentFound = frame?.node?.found ?? 0;
    node.found++;
    return node;
  };
  const readName = (frame: Frame): void => {
    frame.name = tokens.string();
    if (frame.node !== undefined) frame.namePosition = tokens.position();
    if (frame.names.size < frame.names.add(frame.name).size) return;
    repeated.push({ name: frame.name, index: (frames[0]?.index ?? 1) - 1, ...tokens.position() });
  };
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    if (token === '}' || token === ']') frames.pop();
    else if (token === 'name') readName(frames.at(-1) as Frame);
    else if (token === '{') {
      frames.push({ node: begin(), index: null, names: new Set(), name: '', namePosition: START });
    } else if (token === '[') {
      frames.push({ node: begin(), index: 0, names: NO_NAMES, name: '', namePosition: START });
    } else begin();
  }
  return repeated;
}

/**
 * A list whose items are put in order: dragged by their handle, or moved by keyboard, which is told to screen readers.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { announce, classes, IconButton } from '../ui/index.js';
import { moved } from './rule-editor/model/form.js';
import './SortableList.css';

export interface SortableListProps<Item> {
  /** The name of the list. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly itemKey: (item: Item) => string;
  /** The name of an item, for its handle. */
  readonly itemName: (item: Item) => string;
  readonly onMove: (from: number, to: number) => void;
  /** Moves an item into another list or out of this one, once it was moved in it. Left out where there is one list. */
  readonly onShift?: (item: Item, way: Shift, from: number, to: number) => void;
  readonly disabled?: boolean;
  readonly children: (item: Item, index: number) => ComponentChildren;
}

/** Into the list beside an item, or out of its own. */
export type Shift = 'in' | 'out';

/** The item that is being moved: its index before, and the one that it would get. */
interface Move {
  readonly from: number;
  readonly to: number;
  readonly by: 'pointer' | 'keyboard';
}

const HOW =
  'Press space to pick it up, the arrow keys to move it, space to put it down, escape to leave it where it was.';
const HOW_SHIFT = ' The left arrow key takes it out of its group, and the right one into a group next to it.';

export function SortableList<Item>(props: SortableListProps<Item>) {
  const { label, items, itemKey, itemName, disabled = false, children } = props;
  const list = useRef<HTMLOListElement>(null);
  const moves = useMoves(props, list);
  const { move } = moves;
  const onKeyDown = keysOf(moves, items.length, props.onShift !== undefined);
  const pointer = usePointer(moves, list);
  const shown = move === null ? items : moved(items, move.from, move.to);
  return (
    <ol ref={list} class={classes('hg-sortable', move !== null && 'hg-sortable--moving')} aria-label={label}>
      {shown.map((item, index) => {
        const isMoving = move !== null && index === move.to;
        return (
          <li
            key={itemKey(item)}
            data-key={itemKey(item)}
            class={classes('hg-sortable__item', isMoving && 'hg-sortable__item--held')}
          >
            <span
              class="hg-sortable__grip"
              onPointerDown={(event) => !disabled && pointer.onDown(event, index)}
              onPointerMove={pointer.onMove}
              onPointerUp={pointer.onUp}
              onPointerCancel={pointer.onCancel}
              onKeyDown={(event) => onKeyDown(event, index)}
              onFocusOut={() => move?.by === 'keyboard' && scheduleLeave(list.current, moves.forget)}
            >
              <Handle name={itemName(item)} isHeld={isMoving && move.by === 'keyboard'} disabled={disabled} />
            </span>
            <div class="hg-sortable__content">{children(item, index)}</div>
          </li>
        );
      })}
    </ol>
  );
}

/**
 * The move that is being made, and its steps, each of which is announced. The steps of the pointer are announced only
 * at its end.
 */
interface Moves {
  readonly move: Move | null;
  readonly pickUp: (from: number) => void;
  readonly putDown: () => void;
  /** Puts the item back where it was. */
  readonly leave: () => void;
  readonly step: (to: number) => void;
  readonly drag: (from: number, to: number) => void;
  /** Moves an item into another list or out of this one. */
  readonly shift: (index: number, way: Shift) => void;
  /** Puts the item back without a word. */
  readonly forget: () => void;
}

function useMoves<Item>(
  { items, itemKey, itemName, onMove, onShift }: SortableListProps<Item>,
  list: RefObject<HTMLOListElement | null>,
): Moves {
  const [move, setMove] = useState<Move | null>(null);
  const nameAt = (index: number): string => itemName(items[index] as Item);
  return {
    move,
    pickUp(from) {
      setMove({ from, to: from, by: 'keyboard' });
      announce(
        `${nameAt(from)} picked up, ${from + 1} of ${items.length}. ${HOW}${onShift === undefined ? '' : HOW_SHIFT}`,
      );
    },
    putDown() {
      if (move === null) return;
      setMove(null);
      announce(`${nameAt(move.from)} put down, ${move.to + 1} of ${items.length}`);
      if (move.from !== move.to) onMove(move.from, move.to);
    },
    leave() {
      if (move === null) return;
      setMove(null);
      announce(`${nameAt(move.from)} stays at ${move.from + 1} of ${items.length}`);
    },
    step(to) {
      if (move === null || to < 0 || to >= items.length) return;
      setMove({ ...move, to });
      announce(`${nameAt(move.from)}, ${to + 1} of ${items.length}`);
      focusHandle(list, itemKey(items[move.from] as Item));
    },
    drag: (from, to) => setMove({ from, to, by: 'pointer' }),
    shift(index, way) {
      const { from, to } = move ?? { from: index, to: index };
      setMove(null);
      onShift?.(items[from] as Item, way, from, to);
    },
    forget: () => setMove(null),
  };
}

/**
 * Takes the focus back to the handle of an item: the element moves in the page, and the browser takes the focus off it.
 */
function focusHandle(list: RefObject<HTMLOListElement | null>, key: string): void {
  requestAnimationFrame(() => {
    for (const row of list.current?.children ?? []) {
      if (row instanceof HTMLElement && row.dataset.key === key) {
        row.querySelector<HTMLElement>('.hg-sortable__grip > button')?.focus();
      }
    }
  });
}

const SHIFTS: Readonly<Record<string, Shift>> = { ArrowLeft: 'out', ArrowRight: 'in' };

function keysOf({ move, pickUp, putDown, leave, step, shift }: Moves, count: number, isShifting: boolean) {
  return (event: KeyboardEvent, index: number): void => {
    const isHeld = move?.by === 'keyboard';
    const isToggle = event.key === ' ' || event.key === 'Enter';
    const way = isShifting ? SHIFTS[event.key] : undefined;
    if (isToggle && isHeld) putDown();
    else if (isToggle) pickUp(index);
    else if (isHeld && event.key === 'ArrowUp') step(move.to - 1);
    else if (isHeld && event.key === 'ArrowDown') step(move.to + 1);
    else if (isHeld && event.key === 'Home') step(0);
    else if (isHeld && event.key === 'End') step(count - 1);
    else if (isHeld && event.key === 'Escape') leave();
    else if (way !== undefined) shift(index, way);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function usePointer({ move, drag, putDown, leave }: Moves, list: RefObject<HTMLOListElement | null>) {
  /** The middles of the rows at rest: while they move, the pointer is compared with these. */
  const rest = useRef<{ from: number; middles: readonly number[] } | null>(null);
  const end = (act: () => void) => (): void => {
    rest.current = null;
    if (move?.by === 'pointer') act();
  };
  return {
    onDown(event: PointerEvent, from: number): void {
      if (event.button !== 0 || list.current === null) return;
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      const middles = [...list.current.children].map((row) => {
        const { top, height } = row.getBoundingClientRect();
        return top + height / 2 + scrollY;
      });
      rest.current = { from, middles };
    },
    onMove(event: PointerEvent): void {
      if (rest.current === null) return;
      const y = event.clientY + scrollY;
      const { from, middles } = rest.current;
      const above = middles.filter((middle, index) => (index === from ? false : middle < y)).length;
      if (move !== null || above !== from) drag(from, above);
    },
    onUp: end(putDown),
    onCancel: end(leave),
  };
}

/** The focus has gone to something else than a handle: the item stays where it was. */
function scheduleLeave(list: HTMLElement | null, leave: () => void): void {
  setTimeout(() => {
    if (document.activeElement?.closest('.hg-sortable') !== list) leave();
  }, 50);
}

const Handle = ({
  name,
  isHeld,
  disabled,
}: {
  readonly name: string;
  readonly isHeld: boolean;
  readonly disabled: boolean;
}) => <IconButton icon="drag" size="s" label={`Move ${name}`} pressed={isHeld} disabled={disabled} />;

/**
 * A list of any length of which only the rows in view are rendered; on paper, all of them. All rows have one height.
 * One row can be reached by Tab; the arrows, j and k, Home and End go on from there.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePrint } from './media.js';
import './VirtualList.css';

export interface VirtualListProps<Item> {
  /** The name of the list. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly itemKey: (item: Item) => string;
  /** In pixels, of all rows. */
  readonly rowHeight: number;
  /** A row: its first link or button takes the focus, and must take this `tabIndex`. */
  readonly row: (item: Item, tabIndex: 0 | -1) => ComponentChildren;
  /** The end comes near: time to load more. */
  readonly onNearEnd?: () => void;
  /** Whether rows may be put before the first one: it is in view, and no row has the focus. Told when it changes. */
  readonly onTop?: (isAtTop: boolean) => void;
  /** Shown after the last row. */
  readonly foot?: ComponentChildren;
  /** Filled while the list is shown. */
  readonly handle?: { current: VirtualListHandle | null };
}

export interface VirtualListHandle {
  readonly toTop: () => void;
  /** Puts the focus on the row that can be reached by Tab. */
  readonly focus: () => void;
}

/** Rows beside those in view. */
const OVERSCAN = 6;
/** Rows before the end at which it is near. */
const NEAR = 30;
const PAGE = 10;

/** The rows to render, from the first to before the last. */
export function rowsInView(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
): [number, number] {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - OVERSCAN);
  return [Math.min(first, count), Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN)];
}

/** The row that a key leads to; null for a key that leads nowhere. */
export function rowAfterKey(key: string, at: number, count: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1 },
    ...{ PageDown: at + PAGE, PageUp: at - PAGE, Home: 0, End: count - 1 },
  };
  const to = steps[key];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}

export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, itemKey, rowHeight, row, onNearEnd, onTop, foot } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [view, measure] = useView(frame);
  const [hasFocus, setFocus] = useState(false);
  const isPrinted = usePrint();
  const [from, to] = isPrinted
    ? [0, items.length]
    : rowsInView(view.top, view.height, rowHeight, items.length);
  useEffect(() => {
    if (to >= items.length - NEAR && items.length > 0) onNearEnd?.();
  }, [to, items.length, onNearEnd]);
  const isAtTop = view.top < rowHeight / 2 && !hasFocus;
  useEffect(() => onTop?.(isAtTop), [isAtTop, onTop]);
  const { active, setActiveKey, onKeyDown } = useActiveRow(props, frame, measure);

  const indexes = Array.from({ length: to - from }, (_, i) => from + i);
  if (items.length > 0 && (active < from || active >= to)) indexes.push(active);
  return (
    <div
      ref={frame}
      class="hg-virtual"
      onKeyDown={onKeyDown}
      onFocusIn={() => setFocus(true)}
      onFocusOut={() => setFocus(false)}
    >
      <div
        class="hg-virtual__rows"
        role="list"
        aria-label={label}
        style={{ height: `${items.length * rowHeight}px` }}
      >
        {indexes.map((index) => {
          const item = items[index] as Item;
          const key = itemKey(item);
          return (
            <div
              key={key}
              class="hg-virtual__row"
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
              onFocusIn={() => setActiveKey(key)}
            >
              {row(item, index === active ? 0 : -1)}
            </div>
          );
        })}
      </div>
      {foot}
    </div>
  );
}

type Frame = RefObject<HTMLDivElement | null>;

/** The part of the list that is in view, in pixels, and the function that measures it. */
function useView(frame: Frame) {
  const [view, setView] = useState({ top: 0, height: 800 });
  const measure = (): void => {
    const { current } = frame;
    if (current !== null) setView({ top: current.scrollTop, height: current.clientHeight });
  };
  useLayoutEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    current.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', measure);
    };
  }, []);
  return [view, measure] as const;
}

/** The row that can be reached by Tab, and the keys that lead to others. */
function useActiveRow<Item>(props: VirtualListProps<Item>, frame: Frame, measure: () => void) {
  const { items, itemKey, rowHeight, handle } = props;
  /** The key of the row: it stays that row while others come before it. */
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const wantsFocus = useRef(false);
  const found = activeKey === null ? -1 : items.findIndex((item) => itemKey(item) === activeKey);
  const active = Math.max(0, found);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    frame.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });

  const show = (index: number): void => {
    const { current } = frame;
    const item = items[index];
    if (current === null || item === undefined) return;
    const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight];
    if (top < current.scrollTop) current.scrollTop = top;
    current.scrollTop = Math.max(current.scrollTop, bottom - current.clientHeight);
    wantsFocus.current = true;
    setActiveKey(itemKey(item));
    measure();
  };
  const toTop = (): void => {
    setActiveKey(null);
    const { current } = frame;
    const { activeElement: focused } = document;
    if (focused instanceof HTMLElement && current?.contains(focused) === true) focused.blur();
    if (current !== null) current.scrollTop = 0;
  };
  useLayoutEffect(() => {
    if (handle === undefined) return;
    handle.current = { toTop, focus: () => show(active) };
    return () => {
      handle.current = null;
    };
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = rowAfterKey(event.key, active, items.length);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    show(next);
  };
  return { active, setActiveKey, onKeyDown };
}

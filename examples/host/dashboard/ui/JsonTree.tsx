/**
 * A JSON value as a tree: containers fold, paths can be picked, and lines can be marked. All of it is shown as text.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../words/numbers.js';
import { type JsonLine, jsonLines } from '../words/json-view.js';
import { Button } from './Button.js';
import { classes } from './classes.js';
import { Icon } from './Icon.js';
import { usePrint } from './media.js';
import './JsonTree.css';

export type JsonMark = 'changed' | 'added' | 'removed';

export interface JsonTreeProps {
  /** The name for screen readers. */
  readonly label: string;
  readonly value: unknown;
  /** The path of the value, such as `data`; empty for the whole event. */
  readonly root?: string;
  /** Makes each key a button that gives its path and its value. */
  readonly onPick?: (path: string, value: unknown) => void;
  /** Shown behind each value that is not a container. */
  readonly after?: ((line: JsonLine) => ComponentChildren) | undefined;
  /** By RFC 6901 pointer from the value. */
  readonly marks?: ReadonlyMap<string, JsonMark>;
  /** Numbers that a double does not hold, as they were written, by pointer from the value. */
  readonly digits?: ReadonlyMap<string, string> | undefined;
}

const PAGE = 400;
/** More lines than this would fill a book. */
const MOST_PRINTED = 10_000;
const NOTHING: ReadonlySet<string> = new Set();
const MARK_TEXTS = { changed: 'changed', added: 'added', removed: 'removed' } as const;

export function JsonTree({ label, value, root = '', onPick, after, marks, digits }: JsonTreeProps) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(NOTHING);
  const [shown, setShown] = useState(PAGE);
  const isPrinted = usePrint();
  const [closed, limit] = isPrinted ? [NOTHING, MOST_PRINTED] : [folded, shown];
  const lines = jsonLines(value, { root, closed, limit: limit + 1, ...(digits && { digits }) });
  const toggle = (pointer: string): void => {
    const next = new Set(folded);
    if (!next.delete(pointer)) next.add(pointer);
    setFolded(next);
  };
  return (
    <div class="hg-json hg-json--wrap" role="group" aria-label={label}>
      {lines.slice(0, limit).map((line) => (
        <Line
          key={`${line.pointer}${line.kind === 'close' ? ' close' : ''}`}
          line={line}
          isClosed={closed.has(line.pointer)}
          mark={line.kind === 'close' ? undefined : marks?.get(line.pointer)}
          onToggle={() => toggle(line.pointer)}
          onPick={onPick}
          after={after}
        />
      ))}
      {lines.length > limit && (
        <div class="hg-json__more">
          <Button size="s" onClick={() => setShown(shown + PAGE * 5)}>
            Show more lines
          </Button>
        </div>
      )}
    </div>
  );
}

interface LineProps {
  readonly line: JsonLine;
  readonly isClosed: boolean;
  readonly mark: JsonMark | undefined;
  readonly onToggle: () => void;
  readonly onPick: JsonTreeProps['onPick'];
  readonly after: JsonTreeProps['after'];
}

function Line({ line, isClosed, mark, onToggle, onPick, after }: LineProps) {
  const { kind, depth, type, text, key, size, isLast, path } = line;
  const folds = kind === 'open' || (isClosed && size > 0);
  return (
    <div
      class={classes('hg-json__line', mark !== undefined && `hg-json__line--${mark}`)}
      style={{ '--depth': String(depth) }}
    >
      {folds && (
        <button
          type="button"
          class="hg-json__fold"
          aria-expanded={!isClosed}
          aria-label={`${isClosed ? 'Open' : 'Close'} ${path === '' ? 'the value' : path}`}
          onClick={onToggle}
        >
          <Icon name={isClosed ? 'right' : 'down'} size={12} />
        </button>
      )}
      {kind !== 'close' && key !== null && <Key line={line} onPick={onPick} />}
      <span class={classes('hg-json__text', `hg-json__text--${type}`)}>
        {text}
        {kind !== 'open' && !isLast && ','}
      </span>
      {isClosed && size > 0 && (
        <span class="hg-json__note">{counted(size, type === 'array' ? 'item' : 'member')}</span>
      )}
      {mark !== undefined && <span class="hg-unseen"> ({MARK_TEXTS[mark]})</span>}
      {kind === 'value' && after?.(line)}
    </div>
  );
}

function Key({ line: { key, path, value }, onPick }: Pick<LineProps, 'line' | 'onPick'>) {
  const text = JSON.stringify(key);
  return (
    <>
      {onPick === undefined ? (
        <span class="hg-json__key" title={path}>
          {text}
        </span>
      ) : (
        <button
          type="button"
          class="hg-json__key"
          title={`Use ${path}`}
          aria-label={`Use the path ${path}`}
          onClick={() => onPick(path, value)}
        >
          {text}
        </button>
      )}
      <span>:&nbsp;</span>
    </>
  );
}

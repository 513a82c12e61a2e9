/** JSON as text, with completion for a rule. Faults are marked in the text and listed below it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Badge, Skeleton } from '../../ui/index.js';
import './JsonEditor.css';
import type { Known } from './model/completion.js';
import type { TextFault } from './model/faults.js';
import type { JsonView } from './json-view.js';

export interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly faults: readonly TextFault[];
  /** For completion in a rule; left out for any other JSON. */
  readonly known?: Known;
  readonly isReadOnly?: boolean;
}

const SEVERITIES = {
  error: { text: 'Error', tone: 'bad' },
  warning: { text: 'Warning', tone: 'warn' },
} as const;

export function JsonEditor(props: JsonEditorProps) {
  const { label, text, onChange, faults, known, isReadOnly = false } = props;
  const { host, view, status } = useJsonView(props);
  return (
    <div class="hg-json-editor">
      <div class="hg-json-editor__frame">
        <div ref={host} hidden={status !== 'ready'} />
        {status === 'loading' && (
          <div role="status" aria-label="Loading the editor">
            <Skeleton height="340px" />
          </div>
        )}
        {status === 'failed' && (
          <textarea
            class="hg-input hg-input--code"
            rows={20}
            aria-label={label}
            value={text}
            readOnly={isReadOnly}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )}
      </div>
      <p class="hg-small hg-soft">
        {known !== undefined && 'Ctrl+Space completes. '}Escape and then Tab leaves the editor.
      </p>
      {faults.length > 0 && (
        <FaultList text={text} faults={faults} onReveal={({ from, to }) => view.current?.reveal(from, to)} />
      )}
    </div>
  );
}

/** The view of the text, which is loaded when it is first shown. */
function useJsonView({ label, text, onChange, faults, known, isReadOnly = false }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<JsonView | null>(null);
  /** The text that the view has. */
  const shown = useRef(text);
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading');
  // The view is made once, and calls the functions of the last render.
  const latest = useRef({ onChange, known, text });
  latest.current = { onChange, known, text };
  useEffect(() => {
    let isGone = false;
    import('./json-view.js').then(
      ({ openJsonView }) => {
        if (isGone || host.current === null) return;
        view.current = openJsonView(host.current, {
          label,
          isReadOnly,
          // The rule editor has one history for both of its views.
          hasHistory: latest.current.known === undefined,
          text: latest.current.text,
          onChange(next) {
            shown.current = next;
            latest.current.onChange(next);
          },
          known: () => latest.current.known,
        });
        shown.current = latest.current.text;
        setStatus('ready');
      },
      () => setStatus('failed'),
    );
    return () => {
      isGone = true;
      view.current?.end();
      view.current = null;
    };
  }, [label, isReadOnly]);
  // At once, before the next key: later this would be an older text, and overwrite what was typed since.
  useLayoutEffect(() => {
    if (text !== shown.current) view.current?.setText(text);
    shown.current = text;
  }, [text, status]);
  // The view itself moves older marks along with what is typed, until there are newer ones.
  useLayoutEffect(() => view.current?.setFaults(faults), [faults, status]);
  return { host, view, status };
}

const MOST = 20;

interface FaultListProps extends Pick<JsonEditorProps, 'text' | 'faults'> {
  readonly onReveal: (fault: TextFault) => void;
}

const FaultList = ({ text, faults, onReveal }: FaultListProps) => (
  <ul class="hg-faults" aria-label="What is wrong">
    {faults.slice(0, MOST).map((fault, index) => (
      <li key={index}>
        <button type="button" class="hg-fault" onClick={() => onReveal(fault)}>
          <Badge bare status={SEVERITIES[fault.severity]} />
          <span class="hg-soft">Line {lineOf(text, fault.from)}</span>
          <span>{fault.message}</span>
        </button>
      </li>
    ))}
    {faults.length > MOST && <li class="hg-soft">and {faults.length - MOST} more</li>}
  </ul>
);

/** The line of a position, counted without copying the text, which may be long. */
function lineOf(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

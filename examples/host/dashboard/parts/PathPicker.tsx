/** Conditions, picked by clicking in an event: its type, its channel, and any member of its data. */
import { useMemo } from 'preact/hooks';
import { announce, Icon, IconButton, JsonTree, type JsonMark } from '../ui/index.js';
import { jsonExcerpt, jsonLines } from '../words/json-view.js';
import { operatorText } from '../words/operators.js';
import { visible } from '../words/visible.js';
import { leafOf, type Pick, toggled } from './match-of-picks.js';
import './PathPicker.css';

export interface PickedEvent {
  readonly id: string;
  readonly type: string;
  readonly channel: { readonly name: string | null } | null;
  readonly data: unknown;
}

export interface PathPickerProps {
  readonly event: PickedEvent;
  readonly picks: readonly Pick[];
  readonly onChange: (picks: readonly Pick[]) => void;
}

/** The members of an event by which people tell events apart. */
const pickedOf = ({ type, channel, data }: PickedEvent): object => ({
  type,
  ...(typeof channel?.name === 'string' && { channel: { name: channel.name } }),
  data,
});

const MOST_LINES = 5_000;

export function PathPicker({ event, picks, onChange }: PathPickerProps) {
  const value = useMemo(() => pickedOf(event), [event]);
  const marks = useMemo(() => marksOf(value, picks), [value, picks]);
  const pick = (path: string, found: unknown): void => {
    const next = toggled(picks, { path, value: found });
    announce(next.length > picks.length ? `${path} is a condition` : `${path} is no longer a condition`);
    onChange(next);
  };
  return (
    <div class="hg-picker">
      <div class="hg-picker__tree">
        <JsonTree label="The event: click a name to use it" value={value} onPick={pick} marks={marks} />
      </div>
      <Picks picks={picks} onChange={onChange} />
    </div>
  );
}

/** Values that are picked are marked. */
function marksOf(value: unknown, picks: readonly Pick[]): ReadonlyMap<string, JsonMark> {
  const paths = new Set(picks.map(({ path }) => path));
  if (paths.size === 0) return new Map();
  const lines = jsonLines(value, { limit: MOST_LINES }).filter(
    ({ path, kind }) => kind !== 'close' && paths.has(path),
  );
  return new Map(lines.map(({ pointer }) => [pointer, 'added']));
}

const Picks = ({ picks, onChange }: Omit<PathPickerProps, 'event'>) => (
  <div class="hg-picker__picks">
    <p class="hg-picker__title">The rule matches events where</p>
    {picks.length === 0 ? (
      <p class="hg-soft">
        <Icon name="left" size={12} /> Click names in the event, such as <code>type</code>.
      </p>
    ) : (
      <ul aria-label="Conditions">
        {picks.map((one) => (
          <li key={one.path}>
            <span class="hg-picker__text">
              <Condition of={one} />
            </span>
            <IconButton
              size="s"
              icon="close"
              label={`Remove ${visible(one.path)}`}
              onClick={() => onChange(toggled(picks, one))}
            />
          </li>
        ))}
      </ul>
    )}
  </div>
);

function Condition({ of }: { readonly of: Pick }) {
  const leaf = leafOf(of);
  return (
    <>
      <code>{visible(leaf.path)}</code> {operatorText(leaf.op)}{' '}
      {leaf.op === 'eq' && <code>{visible(jsonExcerpt(leaf.value, 80))}</code>}
    </>
  );
}

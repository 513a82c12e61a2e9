/** Sends an event again: as it was decided then, or by the rules of today; to all of the decision, or to some endpoints. */
import { useState } from 'preact/hooks';
import { api, currentProject, type Output, sentenceOf } from '../../data/index.js';
import type { NamedEndpoint } from '../../parts/endpoints.js';
import { Choice } from '../../parts/Choice.js';
import { Button, Checkbox, Dialog, Notice } from '../../ui/index.js';
import type { WholeEvent } from './event-traces.js';

export type Replayed = Output<'replayEvent'>;
type Rules = Replayed['rules'];

export interface ReplayDialogProps {
  readonly event: WholeEvent;
  readonly endpoints: ReadonlyMap<string, NamedEndpoint>;
  readonly onClose: () => void;
  readonly onDone: (replay: Replayed) => void;
}

/** Names the request, so that one that is repeated on its way makes no second replay. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export function ReplayDialog({ event, endpoints, onClose, onDone }: ReplayDialogProps) {
  const isDropped = event.status === 'dropped';
  const [rules, setRules] = useState<Rules>(isDropped ? 'again' : 'recorded');
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [key] = useState(newKey);
  const isReady = chosen === null ? !(isDropped && rules === 'recorded') : chosen.size > 0;
  const replay = async (): Promise<void> => {
    if (!isReady) {
      setError(
        chosen === null
          ? 'It was dropped, so the decision of then names nobody: choose endpoints, or the rules of today.'
          : 'Choose at least one endpoint.',
      );
      return;
    }
    setBusy(true);
    const to = chosen === null ? {} : { endpoint_ids: [...chosen] };
    try {
      onDone(
        await api.replayEvent({
          project: currentProject(),
          event: event.id,
          body: { rules, ...to },
          idempotencyKey: `${key}-${rules}-${[...(chosen ?? [])].join('-')}`.slice(0, 200),
        }),
      );
    } catch (problem) {
      setError(sentenceOf(problem));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Replay this event"
      onClose={onClose}
      onSubmit={() => void replay()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            Replay
          </Button>
        </>
      }
    >
      {error !== null && <Notice tone="bad">{error}</Notice>}
      <Choice label="Rules" value={rules} onChange={setRules} options={RULES} />
      <Choice
        label="Send to"
        value={chosen === null ? 'all' : 'some'}
        onChange={(to) => setChosen(to === 'all' ? null : new Set())}
        options={TO}
      />
      {chosen !== null && <Endpoints of={[...endpoints.values()]} chosen={chosen} onChange={setChosen} />}
    </Dialog>
  );
}

const RULES = [
  {
    value: 'recorded',
    text: 'As it was decided then',
    hint: 'The same data, tags and endpoints, whatever the rules say today.',
  },
  {
    value: 'again',
    text: 'By the rules of today',
    hint: 'Decides anew: it may be changed, routed or dropped.',
  },
] as const;
const TO = [
  {
    value: 'all',
    text: 'Everybody whom the decision names',
    hint: 'Also SDK clients. Paused endpoints are left out.',
  },
  {
    value: 'some',
    text: 'Some endpoints',
    hint: 'Those that you choose and nobody else, also where they are paused.',
  },
] as const;

interface EndpointsProps {
  readonly of: readonly NamedEndpoint[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

const Endpoints = ({ of, chosen, onChange }: EndpointsProps) => (
  <fieldset class="hg-replay__endpoints">
    <legend class="hg-unseen">Endpoints</legend>
    {of.length === 0 && <p class="hg-soft">The project has no endpoint.</p>}
    {of.map(({ id, name, status }) => (
      <Checkbox
        key={id}
        label={status === 'paused' ? `${name} (paused)` : name}
        checked={chosen.has(id)}
        onChange={(is) => onChange(new Set(is ? [...chosen, id] : [...chosen].filter((one) => one !== id)))}
      />
    ))}
  </fieldset>
);

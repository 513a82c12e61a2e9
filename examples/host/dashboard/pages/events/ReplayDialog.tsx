/**
 * Sends an event again: as it was decided then, or by the rules of today; to all of the decision, or to some endpoints.
 */
import { useState } from 'preact/hooks';
import { api, currentProject, type Output, sentenceOf } from '../../data/index.js';
import type { NamedEndpoint } from '../../parts/endpoints.js';
import { ReplayChoices, type Rules } from '../../parts/replay/ReplayChoices.js';
import { requestName } from '../../parts/request-name.js';
import { Button, Dialog, Notice } from '../../ui/index.js';
import type { WholeEvent } from './event-traces.js';

export type Replayed = Output<'replayEvent'>;

export interface ReplayDialogProps {
  readonly event: WholeEvent;
  readonly endpoints: ReadonlyMap<string, NamedEndpoint>;
  readonly onClose: () => void;
  readonly onDone: (replay: Replayed) => void;
}

export function ReplayDialog({ event, endpoints, onClose, onDone }: ReplayDialogProps) {
  const isDropped = event.status === 'dropped';
  const [rules, setRules] = useState<Rules>(isDropped ? 'again' : 'recorded');
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [key] = useState(requestName);
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
      <ReplayChoices
        rules={rules}
        onRules={setRules}
        endpoints={endpoints}
        chosen={chosen}
        onChoose={setChosen}
      />
    </Dialog>
  );
}

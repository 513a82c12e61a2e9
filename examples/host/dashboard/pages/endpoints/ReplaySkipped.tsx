/** Finds the events that a pause has skipped, says how many, and replays them to this endpoint alone. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, api, currentProject, sentenceOf } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { announce, Button, Dialog, Notice, Time } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';
import type { Endpoint } from './endpoint-list.js';
import { findSkipped, type Found, type Pause } from './skipped.js';

interface ReplaySkippedProps {
  readonly endpoint: Endpoint;
  readonly pause: Pause;
  readonly onClose: () => void;
}

export function ReplaySkipped({ endpoint, pause, onClose }: ReplaySkippedProps) {
  const search = useSearch(endpoint, pause);
  const [sent, setSent] = useState(0);
  const isStopped = useRef(false);
  const { isBusy, error, run } = useChange();
  useEffect(() => () => void (isStopped.current = true), []);
  const events = search.found?.events ?? [];
  const isDone = events.length > 0 && sent === events.length;
  const replay = (): Promise<boolean> =>
    run(async () => {
      isStopped.current = false;
      // Oldest first, as they came; what was sent before a failure or a stop is not sent twice.
      for (const event of events.toReversed().slice(sent)) {
        if (isStopped.current) return;
        await replayOne(endpoint.id, event, pause);
        setSent((before) => before + 1);
      }
      announce(`${counted(events.length, 'event')} replayed`);
    });
  return (
    <Dialog
      title="Replay skipped events"
      onClose={onClose}
      foot={
        <>
          {isBusy && <Button onClick={() => (isStopped.current = true)}>Stop</Button>}
          <Button onClick={onClose}>Close</Button>
          {events.length > 0 && !isDone && (
            <Button kind="primary" busy={isBusy} onClick={() => void replay()}>
              Replay {counted(events.length - sent, 'event')}
            </Button>
          )}
        </>
      }
    >
      <p>
        These came while <bdi>{visible(endpoint.name)}</bdi> was paused, from <Time at={pause.from} />
        {pause.to !== null && (
          <>
            {' '}
            to <Time at={pause.to} />
          </>
        )}
        . Events that rules dropped or sent to others alone are not among them.
      </p>
      <p role="status">{statusText(search, sent, isBusy)}</p>
      {search.found?.hasMore === true && (
        <Notice tone="warn">
          Only the newest {count(search.lookedAt)} events of that time were looked at. Older ones can be
          replayed from the list of events.
        </Notice>
      )}
      {(search.error ?? error) !== null && <Notice tone="bad">{search.error ?? error}</Notice>}
    </Dialog>
  );
}

interface Searched {
  readonly found: Found | null;
  readonly lookedAt: number;
  readonly error: string | null;
}

function useSearch(endpoint: Endpoint, pause: Pause): Searched {
  const [state, setState] = useState<Searched>({ found: null, lookedAt: 0, error: null });
  useEffect(() => {
    const { signal, ...abort } = abortable();
    const onProgress = (lookedAt: number): void => setState((before) => ({ ...before, lookedAt }));
    findSkipped({ project: currentProject(), endpoint: endpoint.id, pause, signal, onProgress }).then(
      (found) => setState({ found, lookedAt: found.lookedAt, error: null }),
      (error: unknown) => {
        if (!signal.aborted) setState((before) => ({ ...before, error: sentenceOf(error) }));
      },
    );
    return abort.abort;
  }, [endpoint.id, pause]);
  return state;
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

function statusText({ found, lookedAt, error }: Searched, sent: number, isBusy: boolean): string {
  if (error !== null) return '';
  if (found === null) return `Looking… ${count(lookedAt)} events so far.`;
  const total = found.events.length;
  if (total === 0) return 'No event was skipped.';
  if (sent === total) return `All ${counted(total, 'event')} were replayed.`;
  if (sent > 0 || isBusy) return `${count(sent)} of ${count(total)} replayed.`;
  return `${counted(total, 'event')} ${total === 1 ? 'was' : 'were'} skipped.`;
}

const MAX_TRIES = 5;

/** The key makes a repeated click send nothing twice. A service that has too much to do is asked again. */
async function replayOne(endpoint: string, event: string, { from }: Pause): Promise<void> {
  const body = { endpoint_ids: [endpoint] };
  const idempotencyKey = `pause ${endpoint} ${event} ${from}`.replaceAll(' ', '-');
  for (let tries = 1; ; tries++) {
    try {
      await api.replayEvent({ project: currentProject(), event, body, idempotencyKey });
      return;
    } catch (error) {
      const seconds = error instanceof ApiError ? error.retryAfter : null;
      if (seconds === null || tries === MAX_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  }
}

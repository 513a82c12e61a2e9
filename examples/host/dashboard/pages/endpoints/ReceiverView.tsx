/** A built-in receiver: the form for its answers, and the requests that arrive, live. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, currentProject, useResource } from '../../data/index.js';
import { useAgain, useReading } from '../../parts/use-again.js';
import { Loaded } from '../../parts/Loaded.js';
import { LiveBadge } from '../../parts/LiveBadge.js';
import { announce, Empty, Section, SkeletonRows } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { ReceivedRequest } from './ReceivedRequest.js';
import type { ReceiverViewProps } from './receiver.js';
import { ReceiverAnswer } from './ReceiverAnswer.js';

const ASK_MS = 1_500;
const ANSWER_MS = 3_000;

export function ReceiverView({ receiver, onChange }: ReceiverViewProps) {
  const project = currentProject();
  const requests = useResource(`received ${project} ${receiver.id}`, (signal) =>
    api.listReceivedRequests({ project, receiver: receiver.id, query: { limit: 50 }, signal }),
  );
  const [isAway, setAway] = useState(false);
  const reading = useReading();
  const ask = reading.of(async (signal) => {
    const now = await api.getReceiver({ project, receiver: receiver.id, signal });
    if (now.arrived !== receiver.arrived || now.version !== receiver.version) onChange(now);
  });
  const again = async (): Promise<void> => {
    const isAnswered = await ask(AbortSignal.timeout(ANSWER_MS)).then(
      () => true,
      () => false,
    );
    setAway(!isAnswered);
  };
  useAgain(
    reading.unlessBusy(() => void again()),
    ASK_MS,
  );
  useNews(receiver.arrived, requests.reload);
  return (
    <div class="hg-endpoint">
      <ReceiverAnswer receiver={receiver} onChange={onChange} />
      <Section
        title={`Arrived: ${counted(receiver.arrived, 'request')}`}
        actions={<LiveBadge isAway={isAway} bare />}
      >
        <Loaded of={requests} skeleton={<SkeletonRows rows={5} height={45} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty
                icon="events"
                title="Nothing has arrived yet"
                text="Send a test, or an event to the address of a channel. It appears here by itself, with its signature judged."
              />
            ) : (
              <>
                <ol class="hg-received" aria-label="Requests">
                  {items.map((request, index) => (
                    <li key={request.id}>
                      <ReceivedRequest request={request} isOpen={index === 0 && items.length === 1} />
                    </li>
                  ))}
                </ol>
                <p class="hg-soft hg-small">The last 50 requests are kept.</p>
              </>
            )
          }
        </Loaded>
      </Section>
    </div>
  );
}

/** Reads the list again when there is more, and tells it. */
function useNews(arrived: number, reload: () => void): void {
  const before = useRef(arrived);
  useEffect(() => {
    if (arrived === before.current) return;
    announce(`${counted(arrived - before.current, 'request')} arrived`);
    before.current = arrived;
    reload();
  }, [arrived, reload]);
}

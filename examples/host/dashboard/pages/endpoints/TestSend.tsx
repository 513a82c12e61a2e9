/** A test: one event to this endpoint alone, and what it answers. */
import { useState } from 'preact/hooks';
import { api, currentProject, type Output, useResource, isPortal } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { WhyFailed } from '../../parts/WhyFailed.js';
import { Badge, Button, Dialog, Facts, Notice, Select } from '../../ui/index.js';
import { causeOf } from '../../words/causes.js';
import { duration } from '../../words/time.js';
import { visible } from '../../words/visible.js';
import type { Endpoint } from './endpoint-list.js';

type Result = Output<'testEndpoint'>;

const OLDEST = { value: '', text: 'The oldest channel' };

export function TestSend({
  endpoint,
  onClose,
}: {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}) {
  const project = currentProject();
  const [channel, setChannel] = useState('');
  const [result, setResult] = useState<Result | null>(null);
  const { isBusy, error, run } = useChange();
  const channels = useResource(`channels of ${project}`, (signal) =>
    isPortal ? Promise.resolve(null) : api.listChannels({ project, query: { limit: 200 }, signal }),
  ).value?.items;
  const send = (): Promise<boolean> =>
    run(async () => {
      setResult(null);
      const body = { channel_id: channel === '' ? null : channel };
      setResult(await api.testEndpoint({ project, endpoint: endpoint.id, body }));
    });
  return (
    <Dialog
      title="Send a test"
      onClose={onClose}
      onSubmit={() => void send()}
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={isBusy}>
            {result === null ? 'Send test' : 'Test again'}
          </Button>
        </>
      }
    >
      <p class="hg-soft">
        One event of type <code>endpoint.test</code> goes to <bdi>{visible(endpoint.name)}</bdi> alone, once.{' '}
        {isPortal ? 'It is not stored.' : 'No rule sees it, and it is not stored.'}
      </p>
      {!isPortal && (
        <Select
          label={endpoint.secret === 'endpoint' ? 'Channel of the event' : 'Signed with the secrets of'}
          value={channel}
          options={[OLDEST, ...(channels ?? []).map(({ id, name }) => ({ value: id, text: name }))]}
          onChange={(to) => {
            setChannel(to);
            // The answer was to a test with other secrets.
            setResult(null);
          }}
        />
      )}
      <div class="hg-test" role="status">
        {isBusy && <p class="hg-soft">Waiting for the answer…</p>}
        {result !== null && !isBusy && <Answer result={result} />}
      </div>
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}

const OK = { text: 'Accepted', tone: 'good' } as const;
const REFUSED = { text: 'Failed', tone: 'bad' } as const;

function Answer({
  result: { ok, status, failure, detail, ms, event_id: event, channel_id: channel },
}: {
  readonly result: Result;
}) {
  const cause = failure === null ? null : causeOf(failure, status);
  return (
    <Facts
      facts={[
        ['Result', <Badge status={ok ? OK : REFUSED} />],
        ['Answer', status === null ? 'None' : `HTTP ${status}`],
        ['Took', duration(ms)],
        ['Why', cause !== null && <WhyFailed cause={cause} channel={{ id: channel }} />],
        ['Detail', detail !== null && <bdi>{visible(detail)}</bdi>],
        ['Event', <span class="hg-mono">{event}</span>],
      ]}
    />
  );
}

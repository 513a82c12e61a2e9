/** The form for the status and the delay of a receiver's answers, to see how deliveries fail and are retried. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { Button, Combobox, Notice, Section, Select, toast } from '../../ui/index.js';
import type { ReceiverViewProps } from './receiver.js';

const STATUSES = [
  { value: '200', note: 'delivered' },
  { value: '204', note: 'delivered, without a body' },
  { value: '400', note: 'as if it were refused' },
  { value: '404', note: 'as if the path were wrong' },
  { value: '410', note: 'as if it were gone' },
  { value: '429', note: 'as if it had too much to do' },
  { value: '500', note: 'as if it had failed' },
  { value: '503', note: 'as if it were down' },
];
const DELAYS = [
  { value: '0', text: 'At once' },
  { value: '1000', text: 'After 1 second' },
  { value: '5000', text: 'After 5 seconds' },
  { value: '12000', text: 'After 12 seconds, which is too late' },
];

export function ReceiverAnswer({ receiver, onChange }: ReceiverViewProps) {
  const now = { status: `${receiver.status_code}`, delay: `${receiver.delay_ms}` };
  const [edited, setEdited] = useState<typeof now | null>(null);
  const { status, delay } = edited ?? now;
  const change = useChange(['/status_code']);
  const isStatus = /^[2-5]\d\d$/.test(status);
  const delays = DELAYS.some(({ value }) => value === delay)
    ? DELAYS
    : [...DELAYS, { value: delay, text: `After ${delay} ms` }];
  const save = (): Promise<boolean> =>
    change.run(async () => {
      const body = { status_code: Number(status), delay_ms: Number(delay) };
      onChange(await api.updateReceiver({ project: currentProject(), receiver: receiver.id, body }));
      setEdited(null);
      toast(`It answers ${status} from now on`);
    });
  return (
    <Section title="What it answers">
      <form
        class="hg-receiver__answer"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isStatus) void save();
        }}
      >
        <Combobox
          label="Status"
          free
          value={status}
          options={STATUSES}
          onChange={(to) => setEdited({ status: to, delay })}
          disabled={!mayManage()}
          error={isStatus ? change.at('/status_code') : 'Give a status from 200 to 599.'}
        />
        <Select
          label="When"
          value={delay}
          options={delays}
          onChange={(to) => setEdited({ status, delay: to })}
          disabled={!mayManage()}
        />
        <Button type="submit" busy={change.isBusy} disabled={edited === null || !isStatus}>
          Save
        </Button>
      </form>
      {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
    </Section>
  );
}

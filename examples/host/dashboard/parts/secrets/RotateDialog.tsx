/** Begins a rotation: how long the secrets before the new one still sign. */
import { useState } from 'preact/hooks';
import { Select, toast } from '../../ui/index.js';
import { AskFirst } from '../AskFirst.js';

const HOURS = [
  { value: '24', text: 'For 24 hours' },
  { value: '72', text: 'For 3 days' },
  { value: '168', text: 'For 7 days' },
  { value: '720', text: 'For 30 days' },
  { value: '0', text: 'Not at all: the old one has leaked' },
] as const;

export interface RotateDialogProps {
  readonly onRotate: (keepHours: number) => Promise<unknown>;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

export function RotateDialog({ onRotate, onDone, onClose }: RotateDialogProps) {
  const [hours, setHours] = useState<(typeof HOURS)[number]['value']>('24');
  return (
    <AskFirst
      title="Rotate the signing secret"
      verb="Create a new secret"
      danger={hours === '0'}
      onClose={onClose}
      onDo={async () => {
        await onRotate(Number(hours));
        toast('A new secret was created');
        await onDone();
      }}
    >
      <p>
        A new secret is made, and shown. Meanwhile deliveries are signed with both, so no receiver refuses one
        while you give it the new secret.
      </p>
      <Select label="The secrets of now still sign" value={hours} options={HOURS} onChange={setHours} />
      {hours === '0' && (
        <p class="hg-soft">
          Deliveries are refused by every receiver until it has the new secret. They are tried again by the
          retry policy of their endpoint.
        </p>
      )}
    </AskFirst>
  );
}

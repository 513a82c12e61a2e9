/** A rotation that is under way: what is done, what is left to do, and until when both secrets sign. */
import { Link, Time, TimeLine } from '../../ui/index.js';
import type { Rotation } from './rotation.js';

export interface RotationStepsProps {
  readonly rotation: Rotation;
  readonly isShown: boolean;
}

export const RotationSteps = ({ rotation: { at, until }, isShown }: RotationStepsProps) => (
  <div class="hg-rotation">
    <p>
      <strong>A rotation is under way.</strong> Until <Time at={until} kind="clock" /> deliveries are signed
      with the old and the new secret, so a receiver accepts them with either.
    </p>
    <TimeLine
      label="Steps of the rotation"
      steps={[
        {
          at: <Time at={at} />,
          text: 'Done: a new secret was created, and signs beside the old one.',
          tone: 'good',
        },
        {
          at: 'to do',
          text: (
            <p>
              Give the new secret to the receivers of <Link href="/dashboard/endpoints">your endpoints</Link>,
              instead of the old one or beside it.{isShown ? '' : ' Show the secrets to copy it.'}
            </p>
          ),
          tone: 'busy',
        },
        { at: 'then', text: 'Remove the old secret, or leave it: it expires.' },
        {
          at: <Time at={until} kind="countdown" />,
          text: 'The old secret ends. Receivers that have it alone refuse deliveries from then on.',
          tone: 'warn',
        },
      ]}
    />
  </div>
);

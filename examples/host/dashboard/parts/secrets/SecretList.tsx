/** Secrets that were asked for, oldest first, ready to be copied. */
import { useState } from 'preact/hooks';
import type { Output } from '../../data/index.js';
import { Badge, Button, Copyable, Time } from '../../ui/index.js';
import { AskFirst } from '../AskFirst.js';

export type Secret = Output<'rotateSecret'>;

const CURRENT = { text: 'Signs', tone: 'good', explains: 'It signs until another is added.' } as const;
const LEAVING = {
  text: 'Replaced',
  tone: 'warn',
  explains: 'It signs beside the new one until it expires.',
} as const;

export interface SecretListProps {
  readonly secrets: readonly Secret[];
  readonly onRemove: (id: string) => Promise<void>;
  readonly isBusy: boolean;
}

export function SecretList({ secrets, onRemove, isBusy }: SecretListProps) {
  const [leaving, setLeaving] = useState<string | null>(null);
  return (
    <>
      <ul class="hg-secrets" aria-label="Signing secrets">
        {secrets.map(({ id, secret, created_at: made, expires_at: ends }) => (
          <li key={id}>
            <Badge status={ends === null ? CURRENT : LEAVING} />
            <Copyable text={secret} label={ends === null ? 'secret' : 'replaced secret'} />
            <span class="hg-soft hg-small">
              {ends === null ? (
                <>
                  Created <Time at={made} />
                </>
              ) : (
                <>
                  Expires <Time at={ends} kind="countdown" />
                </>
              )}
            </span>
            {ends !== null && (
              <Button size="s" kind="danger" disabled={isBusy} onClick={() => setLeaving(id)}>
                Remove now
              </Button>
            )}
          </li>
        ))}
      </ul>
      {leaving !== null && (
        <AskFirst
          title="Remove the replaced secret?"
          verb="Remove secret"
          danger
          onClose={() => setLeaving(null)}
          onDo={() => onRemove(leaving)}
        >
          <p>
            From now on deliveries are signed with the other secrets alone. A receiver that does not have one
            of those refuses them. Do this when all receivers have the new one, or when this one has leaked.
          </p>
        </AskFirst>
      )}
    </>
  );
}

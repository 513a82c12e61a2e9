/** Says what ends with a key, and revokes it. */
import { useState } from 'preact/hooks';
import { api, currentProject, sentenceOf, sessionState } from '../../data/index.js';
import type { ApiKey } from '../../parts/Actor.js';
import { Button, Dialog, Notice, Time, toast } from '../../ui/index.js';

export interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

/** Whether somebody is signed in here by this key. */
function isOfSession(id: string): boolean {
  const state = sessionState.value;
  return state.status === 'in' && state.session.actor === `session:${id}`;
}

export function RevokeDialog({ apiKey, onClose, onRevoked }: RevokeDialogProps) {
  const { id, name, last_used_at: usedAt, scopes } = apiKey;
  const project = currentProject();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const revoke = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.revokeKey({ project, key: id });
      toast(`${name} is revoked`);
      onClose();
      onRevoked();
    } catch (problem) {
      setError(sentenceOf(problem));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Revoke ${name}?`}
      onClose={onClose}
      onSubmit={() => void revoke()}
      foot={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button type="submit" kind="danger" busy={isBusy}>
            Revoke the key
          </Button>
        </>
      }
    >
      <p>
        {usedAt === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Time at={usedAt} />.
          </>
        )}{' '}
        For good, and within two seconds:
      </p>
      <ul class="hg-ends">
        <li>requests with it are refused{scopes.includes('ingest') && ', also those that send events'},</li>
        {scopes.includes('receive') && <li>SDK clients that use it are disconnected,</li>}
        <li>sessions of the dashboard that were begun with it end.</li>
      </ul>
      {isOfSession(id) && (
        <Notice tone="warn">
          You are signed in by this key: your own session ends, too. Have another key at hand.
        </Notice>
      )}
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}

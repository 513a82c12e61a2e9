/** Says what ends with a key, and revokes it. */
import { api, currentProject, sessionState } from '../../data/index.js';
import type { ApiKey } from '../../parts/Actor.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { Notice, Time, toast } from '../../ui/index.js';

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
  return (
    <AskFirst
      title={`Revoke ${name}?`}
      verb="Revoke the key"
      cancel="Keep it"
      danger
      onClose={onClose}
      onDo={async () => {
        await api.revokeKey({ project: currentProject(), key: id });
        toast(`${name} is revoked`);
        onRevoked();
      }}
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
    </AskFirst>
  );
}

/** Asks before the cursor of a client is forgotten: it cannot be brought back. */
import { api, currentProject, hasCode } from '../../data/index.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { toast } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import type { Client } from './ClientTable.js';

export interface ForgetDialogProps {
  readonly client: Client;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ForgetDialog({ client: { name, behind, connected }, onClose, onDone }: ForgetDialogProps) {
  return (
    <AskFirst
      title={`Forget the cursor of ${name}?`}
      verb="Forget the cursor"
      danger
      onClose={onClose}
      onDo={async () => {
        await forget(name);
        toast(`The cursor of ${name} is forgotten`);
        onDone();
      }}
    >
      <p>
        When it connects again it is new: it gets what happens from then on
        {behind === 0 ? '' : `, and not the ${counted(behind, 'event')} that it has not acknowledged`}.
      </p>
      {connected && (
        <p>It is connected now. Its connection is closed for good: start its process again afterwards.</p>
      )}
    </AskFirst>
  );
}

/** Forgets a client, unless somebody else has forgotten it already. */
async function forget(client: string): Promise<void> {
  try {
    await api.deleteClient({ project: currentProject(), client });
  } catch (problem) {
    if (!hasCode(problem, 'not_found')) throw problem;
  }
}

/** Asks before the place of a client is forgotten: it cannot be brought back. */
import { useState } from 'preact/hooks';
import { api, currentProject, hasCode, sentenceOf } from '../../data/index.js';
import { Button, Dialog, Notice, toast } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import type { Client } from './ClientTable.js';

export interface ForgetDialogProps {
  readonly client: Client;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ForgetDialog({ client: { name, behind, connected }, onClose, onDone }: ForgetDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const forget = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.deleteClient({ project: currentProject(), client: name });
    } catch (problem) {
      // Somebody else has forgotten it already.
      if (!hasCode(problem, 'not_found')) {
        setError(sentenceOf(problem));
        setBusy(false);
        return;
      }
    }
    toast(`The place of ${name} is forgotten`);
    onDone();
  };
  return (
    <Dialog
      title={`Forget the place of ${name}?`}
      onClose={onClose}
      onSubmit={() => void forget()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" busy={isBusy}>
            Forget the place
          </Button>
        </>
      }
    >
      {error !== null && <Notice tone="bad">{error}</Notice>}
      <p>
        When it connects again it is new: it gets what happens from then on
        {behind === 0 ? '' : `, and not the ${counted(behind, 'event')} that it has not acknowledged`}.
      </p>
      {connected && (
        <p>It is connected now. Its connection is closed for good: start its process again afterwards.</p>
      )}
    </Dialog>
  );
}

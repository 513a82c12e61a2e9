/** Asks before a rule is deleted. */
import { useState } from 'preact/hooks';
import { api, hasCode, sentenceOf } from '../../data/index.js';
import { Button, Dialog, Notice, toast } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import type { ShownRule } from './all-rules.js';

export interface DeleteDialogProps {
  readonly project: string;
  readonly rule: ShownRule;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function DeleteDialog({ project, rule, onClose, onDone }: DeleteDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.deleteRule({ project, rule: rule.id, ifMatch: rule.version });
      toast(`${rule.name} is deleted`);
      onDone();
    } catch (problem) {
      setError(
        hasCode(problem, 'version_conflict')
          ? 'Somebody has changed this rule meanwhile. Look at it again before you delete it.'
          : sentenceOf(problem),
      );
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Delete ${rule.name}?`}
      onClose={onClose}
      onSubmit={() => void remove()}
      foot={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button type="submit" kind="danger" busy={isBusy}>
            Delete the rule
          </Button>
        </>
      }
    >
      <p>
        It matched {counted(rule.counts.last_24h, 'event')} in the last 24 hours. From now on no event meets
        it. To stop it for a while, disable it instead.
      </p>
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}

/** Asks before a rule is deleted. */
import { api } from '../../data/index.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { toast } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import type { ShownRule } from './all-rules.js';

export interface DeleteDialogProps {
  readonly project: string;
  readonly rule: ShownRule;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function DeleteDialog({ project, rule, onClose, onDone }: DeleteDialogProps) {
  return (
    <AskFirst
      title={`Delete ${rule.name}?`}
      verb="Delete the rule"
      cancel="Keep it"
      danger
      conflict="Somebody has changed this rule meanwhile. Look at it again before you delete it."
      onClose={onClose}
      onDo={async () => {
        await api.deleteRule({ project, rule: rule.id, ifMatch: rule.version });
        toast(`${rule.name} is deleted`);
        onDone();
      }}
    >
      <p>
        It matched {counted(rule.counts.last_24h, 'event')} in the last 24 hours. From now on no event meets
        it. To stop it for a while, disable it instead.
      </p>
    </AskFirst>
  );
}

/** Why a form could not be saved: somebody else has saved the same thing meanwhile, or a sentence. */
import { hasCode } from '../data/index.js';
import { Button, Notice } from '../ui/index.js';
import type { Changing } from './change.js';

export interface ChangeProblemProps {
  readonly change: Changing;
  /** Names the thing in a sentence, such as `endpoint`. */
  readonly of: string;
  readonly onShowTheirs: () => void;
}

export function ChangeProblem({ change, of, onShowTheirs }: ChangeProblemProps) {
  if (!hasCode(change.problem, 'version_conflict')) {
    return change.error === null ? null : <Notice tone="bad">{change.error}</Notice>;
  }
  return (
    <Notice
      tone="warn"
      action={
        <Button size="s" onClick={onShowTheirs}>
          Show theirs
        </Button>
      }
    >
      Somebody else has changed this {of} meanwhile. Look at what it is now, then make your changes again.
    </Notice>
  );
}

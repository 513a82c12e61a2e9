/** Saves the rule in an editor once it is valid, and shows why it could not be saved. */
import type { RuleDocument } from 'headgate/slim';
import { useState } from 'preact/hooks';
import { hasCode, sentenceOf } from '../../data/index.js';
import type { Checked } from '../../parts/rule-editor/index.js';
import { Notice } from '../../ui/index.js';
import { focusFirstFault } from './focus.js';
import { Upgrade, upgradeOf } from './Upgrade.js';

export interface Saving {
  /** Whether somebody has tried to save: from then on, empty fields are faults, too. */
  readonly isStrict: boolean;
  readonly isBusy: boolean;
  /** The error of the last request, for {@link SaveProblem}; null if it succeeded. */
  readonly problem: unknown;
  readonly save: () => Promise<void>;
  /** Makes a request. Resolves with whether it succeeded; its error becomes the problem. */
  readonly attempt: (request: () => Promise<void>) => Promise<boolean>;
  /** Nothing is left to save. */
  readonly reset: () => void;
}

/**
 * @param send - Sends a valid rule.
 * @param isLeaving - Whether the page is left after that: then it stays busy.
 */
export function useSave(
  checked: Checked,
  send: (rule: RuleDocument) => Promise<void>,
  isLeaving = false,
): Saving {
  const [isStrict, setStrict] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const attempt = async (request: () => Promise<void>): Promise<boolean> => {
    try {
      await request();
      return true;
    } catch (error) {
      setProblem(error);
      return false;
    }
  };
  const save = async (): Promise<void> => {
    setStrict(true);
    setBusy(true);
    const { rule } = await checked.latest();
    if (rule === null) {
      setBusy(false);
      focusFirstFault();
      return;
    }
    setProblem(null);
    const isSaved = await attempt(() => send(rule));
    if (!isSaved || !isLeaving) setBusy(false);
  };
  const reset = (): void => {
    setStrict(false);
    setProblem(null);
  };
  return { isStrict, isBusy, problem, save, attempt, reset };
}

export function SaveProblem({ problem }: Pick<Saving, 'problem'>) {
  if (problem === null) return null;
  if (hasCode(problem, 'quota_exceeded')) return <Upgrade {...upgradeOf(problem.body)} />;
  return <Notice tone="bad">{sentenceOf(problem)}</Notice>;
}

/** Prints what happened to everything. */
import { say, showDecision, showRules } from '../../quickstart/screen.js';
import type { Found, Run } from './found.js';
import type { Counts } from './implied.js';
import type { Explained } from './most-interesting.js';
import { ENDPOINT_NAMES } from './project.js';
import { repeatsAt } from './reckoning.js';
import { showDestinations, showEvents } from './screen.js';

/** The tables, and one decision. */
export function tell({ project, listener }: Run, found: Found, implied: Counts, explained: Explained): void {
  const byRule = (counts: readonly number[]): Readonly<Record<string, number>> =>
    Object.fromEntries(project.rules.map((rule, i) => [rule.id, counts[i] ?? 0]));
  say();
  say('What came in');
  showEvents(found, implied);
  say();
  say('What the rules matched');
  showRules(project.rules, byRule(found.matched), byRule(implied.matched));
  say();
  say('What came out');
  showDestinations(found, implied, listener.repeats);
  say();
  say('One decision, explained');
  showDecision(explained.event, explained.decision);
}

/** The last lines: whatever is wrong, or that nothing is. */
export function tellVerdict(run: Run, found: Found, implied: Counts, problems: readonly string[]): void {
  const { sent, project, listener } = run;
  const verified = project.receivers.reduce((sum, receiver) => sum + receiver.verified, 0);
  const repeats = ENDPOINT_NAMES.map((name) => repeatsAt(name, found, implied));
  const repeated = repeats.reduce((sum, count) => sum + count, listener.repeats);
  say();
  say(
    `${verified} signatures verified, ${found.replies} replies stored, ${found.deadLetters} dead letters. ` +
      `${sent.unanswered} webhooks had no answer when the host died and were sent again; ` +
      `${sent.hadBeenStored} of them had been stored, and are there once.`,
  );
  for (const problem of problems) say(`WRONG: ${problem}`);
  say(
    problems.length === 0
      ? `Nothing lost, ${repeated} repeated: every count is what the rules imply.`
      : `Wrong: ${problems.length}, see above.`,
  );
}

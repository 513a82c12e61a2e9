/** What is seen in the terminal. */
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { diffJson, explainMatch, type Decision, type Event, type Rule } from 'headgate';
import color from 'picocolors';
import type { Counts, EndpointCounts } from './implied.js';
import type { ReceiverName } from './project.js';

export const say = (line = ''): void => {
  console.log(line);
};

/** A bar over deliveries, which ends when each is delivered or failed. */
export function startProgress(total: number): {
  step: (isOver: boolean) => void;
  note: (text: string) => void;
  stop: () => void;
} {
  const bar = new SingleBar({
    format: `  ${color.cyan('{bar}')} {value}/{total} deliveries, {attempts} attempts, {duration} s{note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 32,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
  });
  let [finished, attempts, note] = [0, 0, ''];
  const show = (): void => bar.update(finished, { attempts, note });
  bar.start(total, 0, { attempts, note });
  return {
    step: (isOver) => {
      attempts++;
      if (isOver) finished++;
      show();
    },
    note: (text) => {
      note = `, ${text}`;
      show();
    },
    stop: () => bar.stop(),
  };
}

const table = (head: readonly string[], numbersFrom: number): Table.Table =>
  new Table({
    head: [...head],
    // Plain text where the output is no terminal.
    style: {
      head: color.isColorSupported ? ['cyan'] : [],
      border: color.isColorSupported ? ['gray'] : [],
      compact: true,
    },
    colAligns: head.map((_, column) => (column < numbersFrom ? 'left' : 'right')),
  });

/** A count, and what it should have been where it is not. */
const cell = (actual: number, implied: number): string =>
  actual === implied ? String(actual) : color.red(`${actual} (not ${implied})`);

export function showRules(
  rules: readonly Rule[],
  actual: Counts['matched'],
  implied: Counts['matched'],
): void {
  const rows = table(['rule', 'action', 'matched'], 2);
  for (const { id, name, action } of rules)
    rows.push([name, action.type, cell(actual[id] ?? 0, implied[id] ?? 0)]);
  say(rows.toString());
}

/** Requests, and how many of them were repeats. */
const requestsCell = (actual: number, implied: number): string =>
  actual > implied ? `${implied} + ${color.yellow(`${actual - implied} again`)}` : cell(actual, implied);

export function showEndpoints(actual: Counts['endpoints'], implied: Counts['endpoints']): void {
  const rows = table(['endpoint', 'delivered', 'failed', 'requests'], 1);
  for (const [name, counts] of Object.entries(actual) as [ReceiverName, EndpointCounts][]) {
    const expected = implied[name];
    rows.push([
      name,
      cell(counts.delivered, expected.delivered),
      cell(counts.failed, expected.failed),
      requestsCell(counts.requests, expected.requests),
    ]);
  }
  say(rows.toString());
}

const brief = (value: unknown, length = 56): string => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? '' : text.length > length ? `${text.slice(0, length - 1)}…` : text;
};

const MARKS = {
  held: color.green('held'),
  not_held: color.yellow('not held'),
  not_reached: color.gray('not reached'),
  undecided: color.red('undecided'),
};

/** One decision: what matched, why, and what it changed; within 80 columns. */
export function showDecision(event: Event, decision: Decision): void {
  say(`${event.id}: ${decision.outcome}; tags ${brief(decision.tags)}; matched:`);
  for (const { name, match } of decision.matched) {
    const leaves = table([name, 'operator', 'in the event', ''], 4);
    const shown = explainMatch(match, event).leaves.filter(
      ({ present, result }) => present || result === 'held',
    );
    for (const { path, op, actual, result } of shown) {
      leaves.push([path, op, brief(actual, 26), MARKS[result]]);
    }
    say(leaves.toString());
  }
  for (const { path, before, after } of diffJson(event.data, decision.event.data)) {
    say(`  ${path}`);
    say(color.red(`  - ${brief(before)}`));
    say(color.green(`  + ${brief(after)}`));
  }
}

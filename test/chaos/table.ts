/** The terminal output. */
import Table from 'cli-table3';
import color from 'picocolors';
import type { Outcome, Scenario } from './scenario.js';
import type { Verdict } from './verdict.js';

/** A scenario that is over; `error` where it broke off. */
export interface Row {
  readonly scenario: Scenario;
  readonly tookMs: number;
  readonly outcome: Outcome | null;
  readonly error: unknown;
}

/** Faults that are shown of each scenario. */
const SHOWN = 10;

const unexplained = ({ repeats }: Verdict): readonly string[] =>
  repeats
    .filter(({ reason }) => reason === null)
    .map(({ delivery, key }) => `${delivery}: sent again after ${key}, for no reason`);

/** Everything that went wrong, as sentences. */
export function faultsOf({ outcome, error }: Row): readonly string[] {
  if (outcome === null) {
    return [`it broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
  const { verdict, faults } = outcome;
  return [
    ...verdict.lost.map((id) => `${id}: lost`),
    ...unexplained(verdict),
    ...verdict.heldTwice,
    ...verdict.faults,
    ...faults,
  ];
}

const seconds = (ms: number | null): string => (ms === null ? '–' : `${(ms / 1_000).toFixed(1)} s`);
const count = (n: number): string => n.toLocaleString('en');
const mustBeNone = (n: number): string => (n === 0 ? '0' : color.red(count(n)));

function cells({ kills, verdict, said }: Outcome): readonly string[] {
  const { deliveries, lost, repeats, inFlightAtKills, heldTwice } = verdict;
  const explained = repeats.length - unexplained(verdict).length;
  return [
    count(kills),
    count(deliveries),
    mustBeNone(lost.length),
    explained === repeats.length
      ? count(explained)
      : color.red(`${count(explained)} of ${count(repeats.length)}`),
    count(inFlightAtKills),
    mustBeNone(heldTwice.length),
    seconds(verdict.longestTakeOverMs),
    said.join('\n'),
  ];
}

const COLUMNS = {
  'what was done': 24,
  kills: 7,
  deliveries: 12,
  lost: 6,
  'repeats, explained': 11,
  'in flight at kills': 11,
  'held twice': 7,
  'longest take-over': 11,
  'what was seen': 44,
};

/** A table of all scenarios. */
export function showRows(rows: readonly Row[]): string {
  const table = new Table({
    head: Object.keys(COLUMNS),
    // Plain text where the output is no terminal.
    style: { head: color.isColorSupported ? ['cyan'] : [], border: color.isColorSupported ? ['gray'] : [] },
    colWidths: Object.values(COLUMNS),
    wordWrap: true,
  });
  for (const row of rows) {
    const { scenario, tookMs, outcome } = row;
    table.push([
      `${scenario.what} (${seconds(tookMs)})`,
      ...(outcome === null ? ['broke off'] : cells(outcome)),
    ]);
  }
  return table.toString();
}

/** The line of a scenario that is over, and below it what went wrong. */
export function showEnd(row: Row): string {
  const faults = faultsOf(row);
  const more = faults.length > SHOWN ? [`… and ${faults.length - SHOWN} more`] : [];
  const wrong = [...faults.slice(0, SHOWN), ...more].map((fault) => color.red(`  ${fault}`));
  return [`${faults.length === 0 ? 'passed' : 'FAILED'}: ${row.scenario.what}`, ...wrong].join('\n');
}

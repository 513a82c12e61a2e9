/** Which scenarios there are, and how large. */
import type { Scenario, Size } from './scenario.js';
import { kills, postgresAt, sqliteAt } from './scenarios/kills.js';

const LONG: Size = { deliveries: 20_000, kills: 100 };
const SHORT: Size = { deliveries: 800, kills: 8 };

/**
 * @param isShort - For CI, in a minute.
 * @param only - Names of scenarios; left out, all.
 * @throws Error for a name that there is not.
 */
export function plan(
  isShort: boolean,
  only: readonly string[] | undefined,
): { scenarios: readonly Scenario[]; atOnce: number } {
  const size = isShort ? SHORT : LONG;
  const scenarios = [kills('sqlite', size, sqliteAt), kills('postgres', size, postgresAt('kills'))];
  const names = scenarios.map(({ name }) => name);
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`no scenario ${unknown.join(', ')}: there are ${names.join(', ')}`);
  return {
    scenarios: scenarios.filter(({ name }) => only?.includes(name) ?? true),
    atOnce: isShort ? 4 : 1,
  };
}

/** Checks that run on every runtime: nothing here knows where it runs. */

/** Parts of the package that are checked, in the order of the table. */
export const AREAS = [
  'signing',
  'signing/web',
  'rules',
  'deep trees',
  'transforms',
  'dry-run',
  'scheduler',
  'client',
  'publisher',
  'receiver',
  'sqlite',
  'http',
] as const;
export type Area = (typeof AREAS)[number];

/** Checks by what they say; each throws where it does not hold. */
export type Checks = Readonly<Record<string, () => unknown>>;

/** The checks of some parts. */
export type ChecksByArea = Partial<Record<Area, Checks>>;

/** The results of the checks of one part. */
export interface Results {
  readonly passed: number;
  /** The name of each check that failed, and why. */
  readonly failures: readonly string[];
}

/** The results of all checks of a program, by part. */
export type Report = Partial<Record<Area, Results>>;

/** Longest time that a check may take, in milliseconds; usual are one or two seconds. */
const PATIENCE_MS = 120_000;

/** Parts that wait more than they compute. */
const WAITING: ReadonlySet<string> = new Set<Area>([
  'dry-run',
  'scheduler',
  'client',
  'publisher',
  'receiver',
  'http',
]);

/**
 * Runs checks one after the other, and then those that wait: the parts beside each other, so that they wait at once.
 */
export async function runChecks(areas: ChecksByArea): Promise<Report> {
  const report: Report = {};
  const runPart = async ([area, checks]: [string, Checks]): Promise<void> => {
    report[area as Area] = await run(checks);
  };
  const parts = Object.entries(areas);
  for (const part of parts.filter(([area]) => !WAITING.has(area))) await runPart(part);
  await Promise.all(parts.filter(([area]) => WAITING.has(area)).map(runPart));
  return report;
}

async function run(checks: Checks): Promise<Results> {
  const failures: string[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      await inTime(Promise.resolve().then(check));
    } catch (error) {
      failures.push(`${name}: ${String(error)}`);
    }
  }
  return { passed: Object.keys(checks).length - failures.length, failures };
}

function inTime(check: Promise<unknown>): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  return Promise.race([check, late]).finally(() => clearTimeout(timer));
}

/** Throws where two values are not the same JSON. */
export function equal(found: unknown, expected: unknown, what: string): void {
  const [text, wanted] = [JSON.stringify(found), JSON.stringify(expected)];
  if (text !== wanted) throw new Error(`${what}: ${text}, not ${wanted}`);
}

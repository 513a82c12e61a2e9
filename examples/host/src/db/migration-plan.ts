/** Decides which steps a database still needs, and refuses one whose tables are not those of this program. Pure. */
import { createHash } from 'node:crypto';

/** A step that a database has taken, as it is recorded there. */
export interface TakenStep {
  /** From 1. */
  readonly number: number;
  readonly checksum: string;
}

/** The statements to run, in order, and the steps to record. */
export interface MigrationPlan {
  readonly statements: readonly string[];
  readonly taken: readonly TakenStep[];
}

/** A checksum of a step. Other line breaks and indents give the same. */
export const migrationChecksum = (step: string): string =>
  createHash('sha256').update(step.replaceAll(/\s+/g, ' ').trim()).digest('hex').slice(0, 16);

/**
 * Plans the steps behind `version`. A step that was taken before checksums were recorded is trusted, and recorded now.
 *
 * @param version - Number of steps that the database has taken.
 * @param recorded - The steps that have a checksum.
 * @param steps - All steps that this program knows.
 * @throws Error when a later version of the program made the tables, or a step was edited after the database took it.
 */
export function planMigration(
  version: number,
  recorded: readonly TakenStep[],
  steps: readonly string[],
): MigrationPlan {
  if (version > steps.length) {
    throw new Error(
      `the tables have version ${version}, and this program knows ${steps.length}: run a later version of it`,
    );
  }
  const known = steps.map((step, i): TakenStep => ({ number: i + 1, checksum: migrationChecksum(step) }));
  const checksums = new Map(recorded.map(({ number, checksum }) => [number, checksum]));
  const isRecorded = ({ number }: TakenStep): boolean => checksums.has(number);
  const edited = known.find((step) => isRecorded(step) && checksums.get(step.number) !== step.checksum);
  if (edited !== undefined) {
    throw new Error(
      `step ${edited.number} of the tables is not the one that made them (${checksums.get(edited.number)} in the ` +
        `database, ${edited.checksum} here): run the version that made them, or begin with an empty database`,
    );
  }
  return { statements: steps.slice(version), taken: known.filter((step) => !isRecorded(step)) };
}

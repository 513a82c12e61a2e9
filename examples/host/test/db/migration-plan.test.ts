/** Steps that make the tables: which are still to be taken, and databases that are refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { migrationChecksum, planMigration } from '../../src/db/migration-plan.js';
import { stepsFor } from '../../src/db/schema.js';
import { databases } from './databases.js';

const steps = fc.array(fc.stringMatching(/^create table [a-z]{1,8} \([a-z]{1,8} text\)$/), { maxLength: 5 });

describe('the plan', () => {
  test('taking some steps and later the others is taking all, and then nothing is left', () => {
    fc.assert(
      fc.property(steps, fc.nat(5), (all, some) => {
        const early = planMigration(0, [], all.slice(0, some));
        const late = planMigration(early.statements.length, early.taken, all);
        expect([...early.statements, ...late.statements]).toEqual(all);
        const taken = [...early.taken, ...late.taken];
        expect(planMigration(all.length, taken, all)).toEqual({ statements: [], taken: [] });
        // Without checksums, as in databases of before, all that was taken is trusted.
        expect(planMigration(all.length, [], all)).toEqual({ statements: [], taken });
      }),
    );
  });

  test('a step that was edited after it was taken is refused, unless only its layout changed', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (all, at) => {
        fc.pre(all.length > 0);
        const i = at % all.length;
        const { taken } = planMigration(0, [], all);
        const edited = (edit: (step: string) => string) =>
          all.map((step, j) => (i === j ? edit(step) : step));
        expect(
          planMigration(
            all.length,
            taken,
            edited((step) => step.replaceAll(' ', '\n  ')),
          ).taken,
        ).toEqual([]);
        expect(() =>
          planMigration(
            all.length,
            taken,
            edited((step) => `${step};`),
          ),
        ).toThrow(`step ${i + 1} of the tables`);
      }),
    );
  });

  test('tables of a later version are refused', () => {
    expect(() => planMigration(3, [], ['a', 'b'])).toThrow('version 3, and this program knows 2');
  });
});

describe.each(databases())('on $name', ({ create }) => {
  test('a database of before is adopted, and one with an edited step is not opened', async () => {
    const connect = create();
    const db = await connect();
    const recorded = () =>
      db.all<{ checksum: string }>('select number, checksum from host_steps order by number');
    const before = await recorded();
    expect(before).toHaveLength(stepsFor('sqlite').length);
    await db.run('drop table host_steps');
    await connect();
    expect(await recorded()).toEqual(before);
    await db.run('update host_steps set checksum = $1 where number = 1', [migrationChecksum('another')]);
    await expect(connect()).rejects.toThrow(
      `step 1 of the tables is not the one that made them (${migrationChecksum('another')} in the database, ${before[0]?.checksum} here)`,
    );
    await db.run('update host_version set version = $1', [before.length + 1]);
    await expect(connect()).rejects.toThrow('run a later version');
  });
});

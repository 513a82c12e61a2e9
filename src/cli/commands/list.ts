/** `headgate dead-letters list` */
import type { Delivery } from '../../delivery/index.js';
import { Table } from '../output/table.js';
import { plural } from '../output/text.js';
import { filterOf } from '../store/filter.js';
import { type CommandStore, withStore } from '../store/open.js';
import type { Run } from '../table/command.js';
import type { listSpec } from '../table/store.js';

const PAGE = 1_000;
const HEADING = ['FAILED', 'DELIVERY', 'TYPE', 'ATTEMPTS', 'REASON'];

export const run: Run<typeof listSpec> = async ({ args, options }, context) => {
  const table = new Table(context.out, HEADING);
  const { listed, hasMore } = await withStore(
    { store: args.STORE, schema: options.schema },
    context,
    (store) =>
      eachLetter(store, options, (letter) =>
        options.json ? context.out.json(letter) : table.row(...cellsOf(letter)),
      ),
  );
  await table.end();
  const more = hasMore ? '; there are more: give a higher --limit' : '';
  await context.say.line(`${plural(listed, 'dead letter')}${more}`);
  return 0;
};

/** Goes through letters up to a limit, page by page. */
async function eachLetter(
  { deadLetters }: CommandStore,
  options: Parameters<typeof filterOf>[0] & { readonly limit: number },
  take: (letter: Delivery) => Promise<void>,
): Promise<{ readonly listed: number; readonly hasMore: boolean }> {
  const filter = filterOf(options);
  let listed = 0;
  for (let cursor: string | undefined; ;) {
    const limit = Math.min(PAGE, options.limit - listed);
    const { letters, next } = await deadLetters.list(filter, {
      limit,
      ...(cursor !== undefined && { cursor }),
    });
    for (const letter of letters) await take(letter);
    listed += letters.length;
    if (next === null || listed >= options.limit) return { listed, hasMore: next !== null };
    cursor = next;
  }
}

function cellsOf({ id, event_type, attempts, finished_at, last_attempt }: Delivery): readonly string[] {
  const outcome = last_attempt?.outcome;
  const reason =
    outcome === undefined || outcome.ok ? '' : `${outcome.status ?? outcome.failure} ${outcome.detail}`;
  return [new Date(finished_at ?? 0).toISOString(), id, event_type, String(attempts), reason];
}

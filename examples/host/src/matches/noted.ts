/** Notes of the rules that matched, as they are stored until they are counted. Pure. */
import type { Row } from '../db/index.js';
import { newId } from '../ids.js';

/** A note holds about this many rules at most; more are divided by the ends of their ids. */
const MOST_RULES = 500;
const BUCKETS = 64;

/**
 * The rows of the table `rule_matches` for some events of a project.
 *
 * @param matches - For each event, the ids of the rules that matched it, with blanks between.
 * @param at - Unix ms.
 */
export function noteRows(project: string, matches: readonly string[], at: number): readonly Row[] {
  const counts = new Map<string, number>();
  for (const ids of matches) {
    if (ids !== '') {
      for (const id of ids.split(' ')) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  const buckets = new Map<number, string[]>();
  for (const [id, matched] of counts) {
    const bucket = counts.size <= MOST_RULES ? 0 : bucketOf(id);
    const texts = buckets.get(bucket) ?? [];
    texts.push(matched === 1 ? id : `${id}=${matched}`);
    buckets.set(bucket, texts);
  }
  return [...buckets].map(([bucket, texts]) => ({
    ...{ project_id: project, bucket, id: newId(at), at, rules: texts.join(' ') },
  }));
}

/** The rules of a note, with the number of events that each matched. */
export const matchesOf = (rules: string): readonly (readonly [id: string, matched: number])[] =>
  rules.split(' ').map((text) => {
    const [id = '', matched = '1'] = text.split('=');
    return [id, Number(matched)];
  });

/** Ids are random at their ends, so each bucket gets about as many. */
const bucketOf = (id: string): number => (Number.parseInt(id.slice(-2), 16) || 0) % BUCKETS;

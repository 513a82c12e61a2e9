/** How a rule is found in events, as a sentence. */
import type { Output } from '../../data/index.js';
import { counted, percent } from '../../words/numbers.js';

export type Access = Output<'analyzeRules'>['items'][number]['access'];

const KINDS = {
  value: 'the value of',
  prefix: 'the beginning of',
  suffix: 'the end of',
  text: 'a text in',
  pattern: 'the pattern on',
  range: 'the range of',
  presence: 'the presence of',
} as const;

/** Such as `Found by the value of data.body.action, in about 12% of events`. */
export function accessText(access: Access): string {
  if (access === null) return 'Not tried while it is disabled.';
  if (access.tried === 'always') return 'Tried on every event: nothing in it must be there.';
  const ways = access.by.map(({ kind, leaves }) => `${KINDS[kind]} ${leaves[0]?.path ?? ''}`);
  const shown = [...new Set(ways)].slice(0, 3);
  if (shown.length === 0) return 'Never tried: no event can match.';
  const more = access.by.length > shown.length ? ', and in other ways' : '';
  return `Found by ${shown.join(' or ')}${more}, in about ${percent(Math.min(1, access.weight))} of events.`;
}

/** How many rules share the way by which this one is found; null where it has that to itself. */
export function sharedText(access: Access): string | null {
  const most = Math.max(0, ...(access?.by ?? []).map(({ shared_by }) => shared_by));
  return most > 1 ? `${counted(most, 'rule')} are found by the same.` : null;
}

/** The event that shows the most: changed by a rule, tagged, and matched by several. */
import type { Event, Rule } from 'headgate';
import type { ShownDecision } from '../../quickstart/screen.js';
import type { Api } from '../src/client/index.js';
import type { EventItem } from '../src/events/routes.js';
import type { FirstProject } from './project.js';

/** An event as rules saw it, and what they decided. */
export interface Explained {
  readonly event: Event;
  readonly decision: ShownDecision;
}

export async function mostInteresting(
  api: Api,
  { id: project, rules }: FirstProject,
  events: readonly EventItem[],
): Promise<Explained> {
  const tagged = events.filter(({ tags }) => tags.length > 0);
  const whole = await Promise.all(tagged.map(({ id: event }) => api.getEvent({ project, event })));
  const best = whole
    .filter(({ projected }) => projected !== null)
    .sort((a, b) => (b.decision?.matched.length ?? 0) - (a.decision?.matched.length ?? 0))[0];
  if (best === undefined || best.decision === null) throw new Error('no event was both changed and tagged');
  const { tags, data, projected, decision } = best;
  const matched = decision.matched.flatMap(({ id }) => rules.filter((rule: Rule) => rule.id === id));
  const event = { ...best, status: 'received', tags: [] } as unknown as Event;
  const after = projected as Event['data'];
  return {
    event: { ...event, data: data as Event['data'] },
    decision: { outcome: 'deliver', tags, matched, event: { data: after } },
  };
}

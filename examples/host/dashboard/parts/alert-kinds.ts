/** The words for alerts, and the page that each leads to. Pure. */
import type { Output } from '../data/index.js';
import type { Tone } from '../words/statuses.js';

export type Alert = Output<'listAlerts'>['items'][number];

/** A kind of alert, in a few words and in a sentence. */
interface KindText {
  readonly text: string;
  readonly tone: Tone;
  readonly explains: string;
}

export const KIND_TEXTS: Readonly<Record<Alert['kind'], KindText>> = {
  'headgate.endpoint.failing': {
    text: 'Endpoint failing',
    tone: 'bad',
    explains: 'Every attempt has failed for at least five minutes.',
  },
  'headgate.endpoint.paused': {
    text: 'Endpoint paused',
    tone: 'bad',
    explains:
      'It was paused because its attempts failed for days. It gets no new events until you resume it.',
  },
  'headgate.endpoint.recovered': {
    text: 'Endpoint recovered',
    tone: 'good',
    explains: 'Its failures are over.',
  },
  'headgate.dead_letters.growing': {
    text: 'New dead letters',
    tone: 'bad',
    explains: 'Deliveries failed for good.',
  },
  'headgate.rules.undecided': {
    text: 'Rules undecided',
    tone: 'warn',
    explains: 'Rules could not be evaluated on an event, or a pattern met its work budget.',
  },
  'headgate.quota.reached': {
    text: 'Quota reached',
    tone: 'warn',
    explains: 'The project asked for more than it may use.',
  },
  'headgate.source.rejected': {
    text: 'Requests rejected',
    tone: 'warn',
    explains: 'The source of requests could not be verified.',
  },
};

const QUOTAS: Readonly<Record<string, string>> = {
  rules: 'Rules of the plan',
  bytes_per_second: 'Bytes a second',
};

/** The subject of an alert: its name, and the page about it; null if it has none. */
export function placeOf({ kind, subject, name }: Pick<Alert, 'kind' | 'subject' | 'name'>): {
  readonly text: string;
  readonly href: string | null;
} {
  const [type = '', id = ''] = subject.split(':');
  if (type === 'quota') return { text: QUOTAS[id] ?? id, href: id === 'rules' ? '/dashboard/project' : null };
  if (type === 'project') {
    return kind === 'headgate.rules.undecided'
      ? { text: 'Rules', href: '/dashboard/rules' }
      : { text: 'Dead letters', href: '/dashboard/dead-letters' };
  }
  return name === null
    ? { text: `A deleted ${type}`, href: null }
    : { text: name, href: `/dashboard/${type}s/${id}` };
}

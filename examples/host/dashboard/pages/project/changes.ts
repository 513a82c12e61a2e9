/** Entries of the audit log: in words, and as the paths that differ. Pure. */
import { diffJson } from 'headgate/slim';
import type { Output } from '../../data/index.js';
import type { Change } from '../../ui/index.js';
import { count, listed } from '../../words/numbers.js';

export type Entry = Output<'listAudit'>['items'][number];

/** Everything that the service writes down. */
export const ACTIONS = [
  ...['channel.created', 'channel.updated', 'channel.deleted', 'channel.address_renewed'],
  ...['secret.rotated', 'secret.removed', 'secrets.revealed'],
  ...['event_type.created', 'event_type.updated', 'event_type.deleted'],
  ...['rule.created', 'rule.updated', 'rule.deleted', 'rule.imported', 'rules.reordered'],
  ...['endpoint.created', 'endpoint.updated', 'endpoint.paused', 'endpoint.resumed', 'endpoint.deleted'],
  ...['receiver.created', 'receiver.updated', 'receiver.deleted'],
  ...['event.replayed', 'events.replayed', 'replay.stopped', 'delivery.retried'],
  ...['dead_letters.redelivered', 'dead_letters.discarded', 'redelivery.stopped'],
  ...['alert.dismissed', 'alerts.dismissed', 'client.deleted', 'key.created', 'key.revoked'],
  ...['session.created', 'session.ended', 'sessions.ended', 'portal_link.created'],
  ...['project.created', 'project.updated'],
] as const;

/** Such as `Rule updated` of `rule.updated`. */
export function actionText(action: string): string {
  const text = action.replace('.', ' ').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value that the log left out, as its size and hash; any other as it is. */
function told(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.left_out)) return value;
  const { bytes, sha256 } = value.left_out as { readonly bytes: number; readonly sha256: string | null };
  return `${count(bytes)} bytes of JSON${sha256 === null ? '' : `, SHA-256 ${sha256}`}`;
}

/** They change with every change, and say nothing. */
const COUNTERS: readonly string[] = ['version', 'updated_at'];

/** The values that differ, member by member; all members if there was nothing before, or is nothing after. */
export function changesOf({ before, after }: Pick<Entry, 'before' | 'after'>): readonly Change[] {
  if ([before, after].some((state) => told(state) !== state)) {
    return diffJson(told(before) ?? undefined, told(after) ?? undefined);
  }
  const [old, young] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const isUpdate = isObject(before) && isObject(after);
  const keys = [...new Set([...Object.keys(old), ...Object.keys(young)])];
  return keys.flatMap<Change>((key) => {
    if (isUpdate && COUNTERS.includes(key)) return [];
    if (!Object.hasOwn(old, key)) return [{ path: key, after: told(young[key]) }];
    if (!Object.hasOwn(young, key)) return [{ path: key, before: told(old[key]) }];
    return diffJson({ [key]: told(old[key]) }, { [key]: told(young[key]) });
  });
}

const MOST_NAMED = 4;

/** The members that differ, such as `name, priority and match`. */
export function changedText(changes: readonly Change[]): string {
  const members = [...new Set(changes.map(({ path }) => path.split('.')[0] ?? path))];
  const rest = members.length - MOST_NAMED;
  return rest > 0 ? `${members.slice(0, MOST_NAMED).join(', ')} and ${rest} more` : listed(members);
}

/** The addresses of the pages of resources. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  rule: (id) => `/dashboard/rules/${id}`,
  endpoint: (id) => `/dashboard/endpoints/${id}`,
  channel: (id) => `/dashboard/channels/${id}`,
  event: (id) => `/dashboard/events/${id}`,
  delivery: (id) => `/dashboard/events/${id.split(':')[0] ?? ''}`,
  redelivery: () => '/dashboard/dead-letters',
  replay: () => '/dashboard/replays',
  alert: () => '/dashboard/alerts',
  client: () => '/dashboard/clients',
  key: () => '/dashboard/project',
  project: () => '/dashboard/project',
  portal_link: () => '/dashboard/project',
};

/** The resource that was changed: its name if the entry has it, and its page; null if it has none. */
export function subjectOf({ action, resource, before, after }: Entry): {
  readonly text: string;
  readonly href: string | null;
} {
  const [kind = '', ...rest] = resource.split(':');
  const id = rest.join(':');
  const named = [after, before].find((one) => isObject(one) && typeof one.name === 'string');
  const name = isObject(named) && typeof named.name === 'string' ? named.name : '';
  const page = action.endsWith('.deleted') || !Object.hasOwn(PAGES, kind) ? null : PAGES[kind];
  const known = kind === 'project' ? 'The project' : kind === 'session' || kind === 'portal' ? '' : resource;
  return { text: name === '' ? known : name, href: page?.(encodeURIComponent(id)) ?? null };
}

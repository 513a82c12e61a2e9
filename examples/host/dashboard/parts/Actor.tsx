/** The actor of a change or a session: a key by its name, the operator, the service itself. */
import { allOf } from '../../src/client/index.js';
import { api, currentProject, isPortal, mayManage, type Output, useResource } from '../data/index.js';

export type ApiKey = Output<'listKeys'>['items'][number];

/** The names of keys by their ids; none for who may not manage, to whom they are not shown. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const project = currentProject();
  const isManager = mayManage() && !isPortal;
  const keys = useResource<readonly ApiKey[]>(`key names ${project} ${isManager}`, (signal) =>
    isManager ? allOf(api.listKeys, { project, signal }) : Promise.resolve([]),
  );
  return new Map((keys.value ?? []).map(({ id, name }) => [id, name]));
}

const ALONE: Readonly<Record<string, string>> = {
  admin: 'The operator',
  operator: 'The operator',
  portal: 'This portal',
  service: 'The service',
  'session:link': 'Dashboard, by a sign-in link',
};

/** Such as `Deploy key`, or `Dashboard, by Deploy key`. */
export function actorText(actor: string, names: ReadonlyMap<string, string>): string {
  if (Object.hasOwn(ALONE, actor)) return ALONE[actor] ?? actor;
  const [kind, id = ''] = actor.split(':');
  const name = names.get(id) ?? `key …${id.slice(-6)}`;
  if (kind === 'key') return names.get(id) ?? `Key …${id.slice(-6)}`;
  if (kind === 'portal') return `Portal, by link …${id.slice(-6)}`;
  return kind === 'session' ? `Dashboard, by ${name}` : actor;
}

export const Actor = ({
  actor,
  names,
}: {
  readonly actor: string;
  readonly names: ReadonlyMap<string, string>;
}) => <span title={actor}>{actorText(actor, names)}</span>;

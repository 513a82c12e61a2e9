/**
 * Hides from sessions of the portal what is not theirs. They are people of a customer: of an event they see what
 * endpoints get, and nothing about the rules, the keys and the people of the project. Pure.
 */
import { Problem } from '../errors/problem.js';
import { isAlert } from '../stored/event-json.js';
import type { Principal } from './principal.js';

/** The beginning of the actors of the portal. */
const PORTAL = 'portal:';

/** The author of something: sessions of the portal learn only on which side it was. */
export const authorFor = ({ portal }: Principal, actor: string): string => {
  if (portal === undefined) return actor;
  return actor.startsWith(PORTAL) ? 'portal' : 'operator';
};

/**
 * Keeps the `Idempotency-Key`s of the portal apart from those of the project's own programs.
 *
 * @param scope - The name of the route and its project.
 */
export const idempotencyScope = ({ portal }: Pick<Principal, 'portal'>, scope: string): string =>
  portal === undefined ? scope : `${PORTAL}${scope}`;

/** Conditions on events that only rules, or people who know the rules, can tell apart. */
interface Conditions {
  readonly status?: string | undefined;
  readonly rule?: string | undefined;
  readonly match?: unknown;
}

/**
 * The conditions on events for a caller. The portal has events that were processed, since their content is what
 * endpoints get: transforms have not removed anything yet from those that wait, or were dropped. It cannot ask for the
 * rule that matched, nor search the content, which may hold what transforms removed.
 *
 * @throws Problem `forbidden`
 */
export function conditionsFor<Filter extends Conditions>(
  { portal }: Pick<Principal, 'portal'>,
  filter: Filter,
): Filter {
  if (portal === undefined) return filter;
  const { status = 'processed', rule, match } = filter;
  if (status !== 'processed') throw new Problem('forbidden', 'status: the portal has processed events alone');
  if (rule !== undefined) throw new Problem('forbidden', 'rule: the portal does not show rules');
  if (match !== undefined) throw new Problem('forbidden', 'match: the portal does not search the content');
  return { ...filter, status };
}

/**
 * Lets a replay pass that sends what was decided. To decide again is for people who may see the rules.
 *
 * @throws Problem `forbidden`
 */
export function assertMayReplay(
  { portal }: Pick<Principal, 'portal'>,
  { rules, comparison }: { readonly rules: string; readonly comparison?: object | undefined },
): void {
  if (portal === undefined || (rules === 'recorded' && comparison === undefined)) return;
  throw new Problem('forbidden', 'the portal replays what was decided: leave out rules and comparison');
}

/** Whether an endpoint is hidden from a caller: those for alerts are the operator's. */
export const isHiddenEndpoint = (
  { portal }: Pick<Principal, 'portal'>,
  { purpose }: { readonly purpose: string },
): boolean => portal !== undefined && purpose === 'alerts';

/** Whether a delivery is hidden from a caller: what alerts report is the operator's. */
export const isHiddenDelivery = (
  { portal }: Pick<Principal, 'portal'>,
  { event_type: type }: { readonly event_type: string },
): boolean => portal !== undefined && isAlert(type);

/** The conditions on dead letters for a caller: those of alerts are hidden from the portal. */
export const lettersFor = <Filter extends object>(
  { portal }: Pick<Principal, 'portal'>,
  filter: Filter,
): Filter & { readonly hidesAlerts?: boolean } =>
  portal === undefined ? filter : { ...filter, hidesAlerts: true };

/** @throws Problem `forbidden` for an endpoint that would get the operator's alerts. */
export function assertPurpose(
  { portal }: Pick<Principal, 'portal'>,
  { purpose }: { readonly purpose?: string | undefined },
): void {
  if (portal === undefined || purpose !== 'alerts') return;
  throw new Problem('forbidden', 'purpose: the portal has endpoints for events alone');
}

/** Whether a transform left a value as it was. */
import { isContainer, ownKeys } from '../../json.js';

type Container = Readonly<Record<string, unknown>>;

/**
 * Whether two values are the same scalar, or structures with the same content. Shared parts are not visited, and a
 * pair that is met again, as in values that contain themselves, is not looked at twice.
 */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (!isContainer(left) || !isContainer(right)) return false;
  const met = new Map<Container, Set<Container>>();
  const pending: unknown[] = [left, right];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (Object.is(a, b)) continue;
    if (!isContainer(a) || !isContainer(b)) return false;
    const partners = met.get(a);
    if (partners?.has(b)) continue;
    if (partners === undefined) met.set(a, new Set([b]));
    else partners.add(b);
    if (!pushMembers(a, b, pending)) return false;
  }
  return true;
}

/** Queues the members of two containers for comparison; false when they are of another kind or their keys differ. */
function pushMembers(a: Container, b: Container, pending: unknown[]): boolean {
  const keys = ownKeys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== ownKeys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    pending.push(a[key], b[key]);
  }
  return true;
}

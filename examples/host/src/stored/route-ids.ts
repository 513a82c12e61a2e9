/** The endpoints that a rule names. */

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The ids in a route; none for another action.
 *
 * @param action - As it was sent: it need not be valid.
 */
export function idsOfRoute(action: unknown): readonly string[] {
  const { endpoint_ids: ids } = Object(action) as { readonly endpoint_ids?: unknown };
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string' && UUID.test(id)) : [];
}

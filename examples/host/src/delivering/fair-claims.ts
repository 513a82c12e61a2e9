/**
 * Claims that leave slots to other customers. The library is fair between endpoints; a customer with a hundred
 * endpoints that hang would still use up all slots of a process.
 */
import type {
  ClaimRequest,
  ClaimResult,
  Delivery,
  DeliveryStore,
  ReserveOptions,
  SchedulerCallbacks,
} from 'headgate/delivery';
import type { Queries } from '../db/index.js';
import { ENDPOINTS_OF_PROJECT } from './statements.js';

/** A store for one scheduler, and the callbacks by which it knows what that one has in flight. */
export interface FairClaims {
  readonly store: DeliveryStore;
  readonly on: SchedulerCallbacks;
  /** The options of a reservation, which has the limits of a claim. */
  reserving(): ReserveOptions;
}

/**
 * Wraps a store: a project that has as many slots as are free gets none, as if all its endpoints were full: one alone
 * may have half, two a third each. One claim takes a quarter of the slots at most, so no project ever has more than
 * three quarters, and half of those that are free, so that there are always some for the next project.
 *
 * @param concurrency - Slots of the scheduler.
 */
export function createFairClaims(store: DeliveryStore, queries: Queries, concurrency: number): FairClaims {
  const mostOfClaim = Math.ceil(concurrency / 4);
  const flights = createFlights();
  const endpointsOf = createEndpointLookup(queries);

  const mostFor = (free: number): number => Math.min(mostOfClaim, Math.max(1, Math.ceil(free / 2)));
  const claim = async (request: ClaimRequest): Promise<ClaimResult> => {
    const free = concurrency - flights.size();
    const limit = Math.min(request.limit, mostFor(free));
    const most = Math.max(1, free);
    const full = [...flights.byProject()].filter(([, count]) => count >= most).map(([project]) => project);
    if (full.length === 0) return store.claim({ ...request, limit });
    const inFlight = new Map(request.inFlight);
    for (const project of full) {
      for (const id of await endpointsOf(project, request.at)) {
        inFlight.set(id, Math.max(inFlight.get(id) ?? 0, request.perEndpoint));
      }
    }
    return { ...(await store.claim({ ...request, limit, inFlight })), isRestrained: true };
  };
  return {
    store: { ...store, claim },
    on: flights.on,
    reserving() {
      const free = concurrency - flights.size();
      const counts = flights.byProject();
      let taken = 0;
      const may = ({ columns }: Delivery): boolean => {
        const project = String(columns?.project_id);
        const own = counts.get(project) ?? 0;
        if (own >= Math.max(1, free - taken)) return false;
        counts.set(project, own + 1);
        taken++;
        return true;
      };
      return { most: mostFor(free), may };
    },
  };
}

/** The deliveries that a scheduler has in flight, as its callbacks tell. */
function createFlights() {
  const projectOf = new Map<string, string>();
  const ended = ({ id }: Delivery): void => void projectOf.delete(id);
  const on: SchedulerCallbacks = {
    claimed: (deliveries) =>
      deliveries.forEach(({ id, columns }) => projectOf.set(id, String(columns?.project_id))),
    attempted: ended,
    released: ended,
    throttled: ended,
    leaseLost: ended,
  };
  return {
    on,
    size: () => projectOf.size,
    byProject: () => {
      const counts = new Map<string, number>();
      for (const project of projectOf.values()) counts.set(project, (counts.get(project) ?? 0) + 1);
      return counts;
    },
  };
}

/** Endpoints that were added within this time may get a few slots more. */
const STALE_MS = 1_000;

function createEndpointLookup(queries: Queries): (project: string, at: number) => Promise<readonly string[]> {
  const known = new Map<string, { readonly at: number; readonly ids: readonly string[] }>();
  return async (project, at) => {
    const found = known.get(project);
    if (found !== undefined && Math.abs(at - found.at) < STALE_MS) return found.ids;
    const rows = await queries.all<{ id: string }>(ENDPOINTS_OF_PROJECT, [project]);
    const ids = rows.map(({ id }) => id);
    known.set(project, { at, ids });
    return ids;
  };
}

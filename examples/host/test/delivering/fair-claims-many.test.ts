/** Several customers whose endpoints hang leave slots to the others. */
import type { Claim, ClaimRequest, Delivery, DeliveryStore } from 'headgate/delivery';
import { expect, test } from 'vitest';
import { createFairClaims } from '../../src/delivering/fair-claims.js';
import { databases } from '../db/databases.js';
import { setStage } from './stage.js';

const SLOTS = 64;
const [sqlite] = databases();

test.for([1, 2, 3, 4])('%i projects that take all that they get leave some to the next', async (projects) => {
  const db = await sqlite!.open();
  const stages = [];
  for (let i = 0; i < projects; i++) stages.push(await setStage(db));
  const queues: { readonly id: string; readonly project: string }[][] = [];
  for (const stage of stages) {
    const ids = [];
    for (let i = 0; i < 40; i++) ids.push({ id: (await stage.addEndpoint()).id, project: stage.project });
    queues.push(ids);
  }
  let inFlight: Delivery[] = [];
  /** Has endless deliveries for every endpoint; gives what the request allows, in turn. */
  const endless: Pick<DeliveryStore, 'claim'> = {
    claim({ limit, perEndpoint, inFlight: busy }: ClaimRequest) {
      const counts = new Map(busy);
      const claims: Claim[] = [];
      for (let round = 0; round < perEndpoint; round++) {
        for (const { id, project } of queues.flat()) {
          if (claims.length >= limit || (counts.get(id) ?? 0) >= perEndpoint) continue;
          counts.set(id, (counts.get(id) ?? 0) + 1);
          const number = `${inFlight.length + claims.length}`;
          const delivery = {
            id: number,
            endpoint_id: id,
            columns: { project_id: project },
          } as Partial<Delivery> as Delivery;
          claims.push({ delivery, body: new Uint8Array(), dueAt: 0 });
        }
      }
      return Promise.resolve({ claims, next: null } as never);
    },
  };
  const fair = createFairClaims(endless as DeliveryStore, db, SLOTS);
  for (let at = 0; at < 50; at++) {
    const busy = new Map<string, number>();
    for (const { endpoint_id: id } of inFlight) busy.set(id, (busy.get(id) ?? 0) + 1);
    const limit = SLOTS - inFlight.length;
    if (limit === 0) break;
    const request = { lease: 'l', at, until: at + 1, limit, perEndpoint: 8, inFlight: busy };
    const { claims } = await fair.store.claim(request);
    const claimed = claims.map(({ delivery }) => delivery);
    fair.on.claimed?.(claimed);
    inFlight = [...inFlight, ...claimed];
  }
  expect(inFlight.length).toBeGreaterThanOrEqual(SLOTS / 2);
  expect(SLOTS - inFlight.length).toBeGreaterThan(0);
});

/**
 * The scheme of an endpoint's signature, from its setting to the receiver, also with secrets that cannot sign in it.
 */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { createSealer } from '../../src/secrets/sealing.js';
import { databases } from '../db/databases.js';
import { SEALING_KEYS } from '../started.js';
import { type Delivered, type HostWorld, hostOn, receiver } from '../world.js';

/** As earlier versions drew them. */
const OLD = `whsec_${Buffer.alloc(32, 0xfb).toString('base64url')}`;

/** Gives the channel, instead of its secrets, one that Standard Webhooks cannot use. */
async function ageSecrets(db: Database, { project }: HostWorld, channel: string): Promise<void> {
  const rows = await db.all<{ id: string }>('select id from signing_secrets where owner_id = $1', [channel]);
  for (const { id } of rows) {
    const sealed = createSealer(SEALING_KEYS).seal(OLD, `signing_secrets:${id}:sealed`);
    await db.run('update signing_secrets set sealed = $2 where id = $1', [id, sealed]);
  }
  await db.notify('channels', project);
}

async function worldOn(db: Database) {
  const world = await hostOn(db);
  const shop = await world.channel({ name: 'Shop' });
  const path = `/projects/${world.project}`;
  const secrets = async (): Promise<string[]> => {
    const { json } = await world.call('GET', `${path}/channels/${shop.id}/secrets`);
    return (json.items as { secret: string }[]).map(({ secret }) => secret);
  };
  const rotate = () => world.call('POST', `${path}/channels/${shop.id}/secrets`, { keep_hours: 1 });
  const patch = (id: string, body: object, key?: string) =>
    world.call('PATCH', `${path}/endpoints/${id}`, body, key === undefined ? {} : { key });
  return { ...world, db, path, shop, secrets, rotate, patch };
}

const SVC = ['svc-event-id', 'svc-timestamp', 'svc-signature'];
const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const NAMES = { svc: SVC, standard_webhooks: STANDARD, both: [...SVC, ...STANDARD] } as const;

/** The names of the headers that sign a request. */
const signing = ({ headers }: Delivered): readonly string[] =>
  [...SVC, ...STANDARD].filter((name) => headers[name] !== undefined);

/** The signatures that Standard Webhooks prescribes for a request. */
const standardOf = ({ headers, body }: Delivered, secrets: readonly string[]): string =>
  secrets
    .map((secret) =>
      createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
        .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
        .digest('base64'),
    )
    .map((mac) => `v1,${mac}`)
    .join(' ');

describe.each(databases())('on $name', ({ open }) => {
  test('deliveries and tests are signed in the scheme of their endpoint, from the next attempt on', async () => {
    const one = await receiver();
    const world = await worldOn(await open());
    const { id } = await world.endpoint(one);
    await world.rotate();
    for (const signature of ['svc', 'standard_webhooks', 'both'] as const) {
      (one.got as Delivered[]).splice(0);
      expect((await world.patch(id, { signature })).json.signature).toBe(signature);
      const tested = await world.call('POST', `${world.path}/endpoints/${id}/test`, {});
      expect(tested.json).toMatchObject({ ok: true });
      await world.send(world.shop.url, { n: signature });
      await expect.poll(() => one.got).toHaveLength(2);
      const secrets = await world.secrets();
      for (const request of one.got) {
        expect(signing(request)).toEqual(NAMES[signature]);
        for (const secret of secrets) expect(() => request.verify(secret)).not.toThrow();
        if (signature === 'svc') continue;
        expect(request.headers['webhook-signature']).toBe(standardOf(request, secrets));
      }
      expect(one.got[1]!.event).toMatchObject({ data: { body: { n: signature } } });
      if (signature !== 'svc') expect(one.got[1]!.headers['webhook-id']).toBe(one.got[1]!.event.id);
    }
  });

  test('a change of the scheme is audited, and only who may manage makes it', async () => {
    const world = await worldOn(await open());
    const { id } = await world.endpoint(await receiver());
    const reader = await world.call('POST', `${world.path}/keys`, { name: 'r', scopes: ['read', 'ingest'] });
    const refused = await world.patch(id, { signature: 'both' }, reader.json.key as string);
    expect(refused.status).toBe(403);
    await world.patch(id, { signature: 'both' });
    const { items } = (await world.call('GET', `${world.path}/audit?action=endpoint.updated`)).json;
    expect(items).toMatchObject([{ before: { signature: 'svc' }, after: { signature: 'both' } }]);
  });

  test('a scheme that the secret of a channel cannot serve is refused by its name, until it is rotated', async () => {
    const world = await worldOn(await open());
    const { id } = await world.endpoint(await receiver());
    await ageSecrets(world.db, world, world.shop.id);
    for (const signature of ['standard_webhooks', 'both']) {
      const made = { url: 'https://example.com/', signature };
      for (const answer of [
        await world.patch(id, { signature }),
        await world.call('POST', `${world.path}/endpoints`, made),
      ]) {
        expect([answer.status, answer.json.code]).toEqual([422, 'invalid_document']);
        expect(answer.json.issues).toMatchObject([{ pointer: '/signature', code: 'unusable_secret' }]);
        expect(answer.json.detail).toContain('the channel "Shop"');
        expect(answer.json.detail).toContain('rotate it first');
        expect(answer.text).not.toContain(OLD.slice(6));
      }
    }
    const { items } = (await world.call('GET', `${world.path}/endpoints`)).json;
    expect(items).toMatchObject([{ id, signature: 'svc', version: 1 }]);
    expect((await world.patch(id, { name: 'other' })).status).toBe(200);

    await world.rotate();
    expect((await world.patch(id, { signature: 'standard_webhooks' })).status).toBe(200);
    // A channel that is deleted takes nothing in, so its secret refuses nothing.
    const gone = await world.channel({ name: 'Gone' });
    await ageSecrets(world.db, world, gone.id);
    expect((await world.patch(id, { signature: 'both' })).status).toBe(422);
    await world.call('DELETE', `${world.path}/channels/${gone.id}`);
    expect((await world.patch(id, { signature: 'both' })).status).toBe(200);
  });

  test('of several secrets, those sign that can, and both sends at least the signature that always can', async () => {
    const one = await receiver();
    const world = await worldOn(await open());
    const { id } = await world.endpoint(one, { signature: 'both' });
    await ageSecrets(world.db, world, world.shop.id);
    await world.send(world.shop.url, {});
    await expect.poll(() => one.got).toHaveLength(1);
    expect(signing(one.got[0]!)).toEqual(SVC);
    one.got[0]!.verify(OLD);

    const fresh = (await world.rotate()).json.secret as string;
    await world.send(world.shop.url, {});
    await expect.poll(() => one.got).toHaveLength(2);
    expect(signing(one.got[1]!)).toEqual(NAMES.both);
    expect(one.got[1]!.headers['webhook-signature']).toBe(standardOf(one.got[1]!, [fresh]));
    one.got[1]!.verify(OLD);
    one.got[1]!.verify(fresh);

    await world.patch(id, { signature: 'standard_webhooks' });
    await world.send(world.shop.url, {});
    await expect.poll(() => one.got).toHaveLength(3);
    expect(one.got[2]!.headers['webhook-signature']).toBe(standardOf(one.got[2]!, [fresh]));
  });

  test('a delivery that no secret can sign fails, says why, and arrives once the secret is rotated', async () => {
    const one = await receiver();
    const world = await worldOn(await open());
    const retries = { retry_max_attempts: 20, retry_backoff_base_seconds: 1 };
    const { id } = await world.endpoint(one, { signature: 'standard_webhooks', ...retries });
    await ageSecrets(world.db, world, world.shop.id);
    await world.send(world.shop.url, {});
    const first = async () => {
      const { items } = (await world.call('GET', `${world.path}/deliveries?endpoint_id=${id}`)).json;
      return items[0] as { id: string; state: string; failure: string } | undefined;
    };
    await expect.poll(first).toMatchObject({ state: 'pending', failure: 'internal_error' });
    const delivery = await world.call('GET', `${world.path}/deliveries/${(await first())!.id}`);
    expect(delivery.text).toContain('Not sent: invalid_secret');
    const tested = await world.call('POST', `${world.path}/endpoints/${id}/test`, {});
    expect([tested.status, tested.json.code]).toEqual([409, 'conflict']);
    expect(tested.json.detail).toContain('rotate the secret');
    expect(one.got).toEqual([]);

    const fresh = (await world.rotate()).json.secret as string;
    await expect.poll(() => one.got, { timeout: 15_000 }).toHaveLength(1);
    one.got[0]!.verify(fresh);
    await expect.poll(first).toMatchObject({ state: 'delivered' });
  });
});

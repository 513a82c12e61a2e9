/** Endpoints with secrets of their own, which are kept, shown and rotated as those of channels are. */
import { createSigner } from 'headgate/signing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { createSealer } from '../../src/secrets/sealing.js';
import { databases } from '../db/databases.js';
import { SEALING_KEYS } from '../started.js';
import { hostOn, receiver } from '../world.js';

interface Shown {
  readonly id: string;
  readonly secret: string;
  readonly expires_at: string | null;
}

async function worldOn(db: Database) {
  const world = await hostOn(db);
  const channel = await world.channel();
  const under = `/projects/${world.project}`;
  const secretsOf = async (owner: string): Promise<readonly Shown[]> =>
    (await world.call('GET', `${under}/${owner}/secrets`)).json.items as readonly Shown[];
  const ofChannel = async () => (await secretsOf(`channels/${channel.id}`))[0]!.secret;
  const of = (id: string) => secretsOf(`endpoints/${id}`);
  const rotate = async (id: string, keep_hours = 24) =>
    (await world.call('POST', `${under}/endpoints/${id}/secrets`, { keep_hours })).json as Shown;
  const patch = (id: string, body: object) => world.call('PATCH', `${under}/endpoints/${id}`, body);
  return { ...world, db, under, channelId: channel.id, inbox: channel.url, ofChannel, of, rotate, patch };
}

describe.each(databases())('on $name', ({ open }) => {
  test('they sign deliveries and tests of their endpoint, and of no other', async () => {
    const [one, other] = [await receiver(), await receiver()];
    const world = await worldOn(await open());
    const { id } = await world.endpoint(one, { secret: 'endpoint', signature: 'both' });
    await world.endpoint(other);
    expect((await world.call('POST', `${world.under}/endpoints/${id}/test`, {})).json.ok).toBe(true);
    await world.send(world.inbox, {});
    await expect.poll(() => [one.got.length, other.got.length]).toEqual([2, 1]);
    const [own] = await world.of(id);
    const ofChannel = await world.ofChannel();
    for (const { headers, verify } of one.got) {
      verify(own!.secret);
      expect(() => verify(ofChannel)).toThrow();
      expect(headers['webhook-signature']).toBeDefined();
    }
    other.got[0]!.verify(ofChannel);
  });

  test('one may be given to the receiver before it signs, and it stays when the channel signs again', async () => {
    const one = await receiver();
    const world = await worldOn(await open());
    const { id } = await world.endpoint(one);
    expect(await world.of(id)).toEqual([]);
    const { secret } = await world.rotate(id);
    for (const [owner, expected] of [
      ['channel', await world.ofChannel()],
      ['endpoint', secret],
      ['channel', await world.ofChannel()],
      ['endpoint', secret],
    ] as const) {
      expect((await world.patch(id, { secret: owner })).json.secret).toBe(owner);
      const count = one.got.length;
      await world.send(world.inbox, {});
      await expect.poll(() => one.got.length).toBeGreaterThan(count);
      one.got.at(-1)!.verify(expected);
    }
    expect(await world.of(id)).toMatchObject([{ secret, expires_at: null }]);
  });

  test('a rotation lets both sign, a replaced secret can be removed, and the last one cannot', async () => {
    const one = await receiver();
    const world = await worldOn(await open());
    const { id } = await world.endpoint(one, { secret: 'endpoint' });
    const [old] = await world.of(id);
    const young = await world.rotate(id);
    await world.send(world.inbox, {});
    await expect.poll(() => one.got).toHaveLength(1);
    for (const { secret } of [old!, young]) one.got[0]!.verify(secret);
    const remove = (secret: string) =>
      world.call('DELETE', `${world.under}/endpoints/${id}/secrets/${secret}`);
    expect((await remove(young.id)).status).toBe(409);
    expect((await remove(old!.id)).status).toBe(204);
    expect((await remove(old!.id)).status).toBe(404);
    await world.send(world.inbox, {});
    await expect.poll(() => one.got).toHaveLength(2);
    expect(() => one.got[1]!.verify(old!.secret)).toThrow();
    one.got[1]!.verify(young.secret);
    const { items } = (await world.call('GET', `${world.under}/audit?resource=endpoint:${id}`)).json;
    const actions = (items as { action: string }[]).map(({ action }) => action);
    expect(actions.reverse()).toEqual([
      ...['endpoint.created', 'secrets.revealed', 'secret.rotated', 'secret.removed'],
    ]);
    for (let i = 0; i < 15; i++) await world.rotate(id);
    const many = await world.call('POST', `${world.under}/endpoints/${id}/secrets`, {});
    expect([many.status, many.json.code]).toEqual([409, 'conflict']);
  });

  test('a secret from another service goes on to verify, with its library', async () => {
    const one = await receiver();
    const world = await worldOn(await open());
    const { id } = await world.endpoint(one, { signature: 'standard_webhooks' });
    // Secrets of Svix have 24 bytes.
    const theirs = `whsec_${Buffer.alloc(24, 0xfb).toString('base64')}`;
    const add = (secret: unknown, keep_hours = 0) =>
      world.call('POST', `${world.under}/endpoints/${id}/secrets`, { keep_hours, secret });
    expect((await add(theirs)).json.secret).toBe(theirs);
    expect((await world.patch(id, { secret: 'endpoint' })).status).toBe(200);
    await world.send(world.inbox, { n: 1 });
    await expect.poll(() => one.got).toHaveLength(1);
    const { body, headers } = one.got[0]!;
    const verified = new Webhook(theirs).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({ data: { body: { n: 1 } } });
    const again = await add(theirs, 24);
    expect([again.status, again.json.code]).toEqual([409, 'conflict']);
    // A refusal takes no secret its place.
    expect(await world.of(id)).toMatchObject([{ secret: theirs, expires_at: null }]);
    for (const secret of [
      ...['', 'whsec_', theirs.slice('whsec_'.length), `${theirs}\n`, null, 1],
      ...[23, 65].map((bytes) => `whsec_${Buffer.alloc(bytes).toString('base64')}`),
      `whsec_${Buffer.alloc(24, 0xfb).toString('base64url')}`,
    ]) {
      const refused = await add(secret);
      expect([secret, refused.status, refused.json.issues?.[0].pointer]).toEqual([
        secret,
        typeof secret === 'string' ? 422 : 400,
        '/secret',
      ]);
      if (typeof secret === 'string' && secret.length > 10) {
        expect(refused.text).not.toContain(secret.slice(8));
      }
    }
  });

  test('they are in no table, list or entry, and only who manages their project gets them', async () => {
    const world = await worldOn(await open());
    const { id } = await world.endpoint(await receiver(), { secret: 'endpoint' });
    const { secret } = await world.rotate(id);
    const texts = [
      (await world.call('GET', `${world.under}/endpoints`)).text,
      (await world.call('GET', `${world.under}/audit`)).text,
      JSON.stringify(await world.db.all('select * from signing_secrets')),
    ];
    for (const text of texts) expect(text).not.toContain(secret.slice('whsec_'.length));
    const scopes = { name: 'r', scopes: ['read', 'ingest'] };
    const reader = (await world.call('POST', `${world.under}/keys`, scopes)).json.key as string;
    const theirs = await worldOn(world.db);
    const path = `/endpoints/${id}/secrets`;
    for (const [method, end] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', `/${id}`],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      const to = `${world.under}${path}${end}`;
      expect((await world.call(method, to, body, { key: reader })).status).toBe(403);
      expect((await world.call(method, to, body, { key: theirs.key })).status).not.toBeLessThan(400);
      expect((await theirs.call(method, `${theirs.under}${path}${end}`, body)).status).toBe(404);
      // The secrets of a channel are not reached by the routes of endpoints.
      const across = `${world.under}/endpoints/${world.channelId}/secrets${end}`;
      expect((await world.call(method, across, body)).status).toBe(404);
    }
    expect(await world.of(id)).toHaveLength(2);
  });

  test('they go with their endpoint', async () => {
    const world = await worldOn(await open());
    const { id } = await world.endpoint(await receiver(), { secret: 'endpoint' });
    const rows = () => world.db.all('select id from signing_secrets where owner_id = $1', [id]);
    expect(await rows()).toHaveLength(1);
    await world.call('DELETE', `${world.under}/endpoints/${id}`);
    expect(await rows()).toEqual([]);
  });

  test('a built-in receiver knows them while they sign', async () => {
    const world = await worldOn(await open());
    const { id: receiverId, url } = (await world.call('POST', `${world.under}/receivers`, { name: 'r' }))
      .json;
    const made = await world.call('POST', `${world.under}/endpoints`, { url, secret: 'endpoint' });
    const id = made.json.id as string;
    await world.call('POST', `${world.under}/endpoints/${id}/test`, {});
    const newest = async () =>
      (await world.call('GET', `${world.under}/receivers/${receiverId}/requests`)).json.items[0];
    const [own] = await world.of(id);
    expect((await newest()).verdict).toMatchObject({ ok: true, secret_ids: [own!.id] });
    await world.patch(id, { secret: 'channel' });
    await world.call('POST', `${world.under}/endpoints/${id}/test`, {});
    expect((await newest()).verdict.ok).toBe(true);
    const body = JSON.stringify({ id: 'evt_1', channel: { id: world.channelId } });
    const about = { eventId: 'evt_1', eventType: 'ping', origin: 'live' } as const;
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = createSigner({ secrets: own!.secret }).headers(body, { ...about, timestamp });
    await fetch(url as string, { method: 'POST', body, headers });
    expect((await newest()).verdict).toMatchObject({ ok: false, code: 'signature_mismatch' });
  });

  test('they serve Standard Webhooks whatever the secrets of channels are', async () => {
    const world = await worldOn(await open());
    const old = `whsec_${Buffer.alloc(32, 0xfb).toString('base64url')}`;
    const [row] = await world.db.all<{ id: string }>('select id from signing_secrets where owner_id = $1', [
      world.channelId,
    ]);
    const sealed = createSealer(SEALING_KEYS).seal(old, `signing_secrets:${row!.id}:sealed`);
    await world.db.run('update signing_secrets set sealed = $2 where id = $1', [row!.id, sealed]);
    const { id } = await world.endpoint(await receiver(), { secret: 'endpoint', signature: 'both' });
    expect(id).toBeDefined();
    const back = await world.patch(id, { secret: 'channel' });
    expect([back.status, back.json.issues[0].code]).toEqual([422, 'unusable_secret']);
    expect((await world.patch(id, { secret: 'channel', signature: 'svc' })).status).toBe(200);
  });
});

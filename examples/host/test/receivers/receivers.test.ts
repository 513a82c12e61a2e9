/** The built-in receivers: what arrives is kept, judged and shown, answered as told, and harms nobody. */
import { randomBytes } from 'node:crypto';
import { createSigner } from 'headgate/signing';
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { receiver as recording } from '../world.js';
import { type Made, type ReceiverRoom, roomOn } from './room.js';

const NOBODY = '01920000-0000-7000-8000-000000000000';

const post = (url: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers });
const header = (headers: readonly (readonly [string, string])[], name: string): string | undefined =>
  headers.find(([given]) => given.toLowerCase() === name)?.[1];

/** Secrets of a channel, oldest first. */
const secretsOf = async ({ call, project }: ReceiverRoom, channel: string) =>
  (await call('GET', `/projects/${project}/channels/${channel}/secrets`)).json.items as {
    id: string;
    secret: string;
  }[];

const secretOf = async (room: ReceiverRoom, channel: string): Promise<string> =>
  (await secretsOf(room, channel))[0]?.secret ?? '';

/** A delivery of a channel, signed with a secret. */
function delivery(channel: string, secret: string, at = Date.now()) {
  const body = JSON.stringify({ id: 'evt_1', channel: { id: channel } });
  const about = { eventId: 'evt_1', eventType: 'ping', origin: 'live' } as const;
  const headers = createSigner({ secrets: secret }).headers(body, {
    ...about,
    timestamp: Math.floor(at / 1_000),
  });
  return [body, { ...headers }] as const;
}

describe.each(databases())('$name', ({ open }) => {
  test('a delivery arrives without any address allowed, verified, with the event that it is about', async () => {
    const room = await roomOn(await open());
    const [inbox, channel] = [await room.receiver(), await room.channel()];
    expect(inbox.url).toMatch(new RegExp(`^${room.url}/receive/[0-9a-f]{32}$`));
    expect((await room.endpointAt(inbox.url)).status).toBe(201);
    const sent = await room.send(channel.url, { text: 'hello' });
    await expect.poll(() => room.requests(inbox)).toHaveLength(1);
    const [request] = await room.requests(inbox);
    const [secret] = await secretsOf(room, channel.id);
    expect(request).toMatchObject({
      status_code: 200,
      body_cut: false,
      event_id: sent.json.id,
      verdict: { ok: true, code: null, channel_id: channel.id, secret_ids: [secret?.id] },
    });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      id: sent.json.id,
      data: { body: { text: 'hello' } },
    });
    expect(request?.body_bytes).toBe(request?.body.length);
    expect(header(request?.headers ?? [], 'svc-event-id')).toBe(sent.json.id);
    expect(header(request?.headers ?? [], 'host')).toBe(new URL(room.url).host);
    const deliveries = async () =>
      (await room.call('GET', `/projects/${room.project}/deliveries`)).json.items;
    await expect.poll(deliveries).toMatchObject([{ state: 'delivered' }]);
  });

  test('while one secret replaces another, both are named; a test send is verified, too', async () => {
    const room = await roomOn(await open(), { HEADGATE_BRAND: 'Acme' });
    const [inbox, channel] = [await room.receiver(), await room.channel()];
    const endpoint = await room.endpointAt(inbox.url);
    await room.call('POST', `/projects/${room.project}/channels/${channel.id}/secrets`, { keep_hours: 1 });
    const path = `/projects/${room.project}/endpoints/${endpoint.json.id}/test`;
    expect((await room.call('POST', path)).json).toMatchObject({ ok: true, status: 200 });
    const [request] = await room.requests(inbox);
    const ids = (await secretsOf(room, channel.id)).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(request?.verdict).toMatchObject({ ok: true, secret_ids: ids });
    expect(header(request?.headers ?? [], 'acme-signature')).toMatch(/^t=/);
  });

  test('a status is answered as told: an attempt fails, is a dead letter, and arrives once the receiver is well', async () => {
    const room = await roomOn(await open());
    const [inbox, channel] = [await room.receiver({ status_code: 500 }), await room.channel()];
    await room.endpointAt(inbox.url, { retry_max_attempts: 1 });
    await room.send(channel.url, { text: 'hello' });
    const letters = async () => (await room.call('GET', `/projects/${room.project}/dead-letters`)).json.items;
    await expect.poll(letters).toHaveLength(1);
    const [letter] = await letters();
    const path = `/projects/${room.project}/deliveries/${letter.id}`;
    const [attempt] = (await room.call('GET', path)).json.history;
    expect(attempt).toMatchObject({ failure: 'http_status', status_code: 500, url: inbox.url });
    expect(await room.requests(inbox)).toMatchObject([{ status_code: 500, verdict: { ok: true } }]);
    expect((await room.set(inbox, { status_code: 200 })).json).toMatchObject({
      status_code: 200,
      version: 2,
    });
    await room.call('POST', `${path}/retry`);
    await expect.poll(() => room.requests(inbox)).toMatchObject([{ status_code: 200 }, { status_code: 500 }]);
    await expect.poll(letters).toEqual([]);
  });

  test('what nobody of the project has signed is kept with the reason', async () => {
    const room = await roomOn(await open());
    const [inbox, channel] = [await room.receiver(), await room.channel()];
    const secret = await secretOf(room, channel.id);
    const hour = 3_600_000;
    const cases = [
      ['missing_header', ['hello', {}]],
      ['missing_header', [JSON.stringify({ channel: { id: channel.id } }), {}]],
      ['malformed_header', [delivery(channel.id, secret)[0], { 'svc-signature': 'v1=0' }]],
      ['timestamp_too_old', delivery(channel.id, secret, Date.now() - hour)],
      ['signature_mismatch', delivery(channel.id, 'whsec_of_somebody_else')],
      ['unknown_channel', delivery(NOBODY, secret)],
      ['unknown_channel', delivery("' or \u0000", secret)],
      [
        'unknown_channel',
        delivery(channel.id, 'no channel has this secret').map((part) =>
          typeof part === 'string' ? part.replace(channel.id, '') : part,
        ),
      ],
      [null, delivery(channel.id, secret)],
    ] as unknown as readonly (readonly [string | null, readonly [string, Record<string, string>]])[];
    for (const [code, [body, headers]] of cases) {
      expect((await post(inbox.url, body, headers)).status).toBe(200);
      const [request] = await room.requests(inbox, '?limit=1');
      expect([code, request?.verdict.code, request?.verdict.ok]).toEqual([code, code, code === null]);
      expect(request?.body).toBe(body);
      if (code !== null) expect(request?.verdict.secret_ids).toEqual([]);
    }
  });

  test('the channel of another project verifies nothing, and nothing tells that it exists', async () => {
    const db = await open();
    const [mine, theirs] = [await roomOn(db), await roomOn(db)];
    const channel = await theirs.channel();
    const secret = await secretOf(theirs, channel.id);
    const inbox = await mine.receiver();
    await post(inbox.url, ...delivery(channel.id, secret));
    await post(inbox.url, ...delivery(NOBODY, secret));
    const [none, real] = await mine.requests(inbox);
    expect(real?.verdict).toEqual(none?.verdict);
    expect(real?.verdict).toMatchObject({ ok: false, code: 'unknown_channel', channel_id: null });
  });

  test('a channel that was deleted still verifies what it has signed', async () => {
    const room = await roomOn(await open());
    const [inbox, channel] = [await room.receiver(), await room.channel()];
    const secret = await secretOf(room, channel.id);
    await room.call('DELETE', `/projects/${room.project}/channels/${channel.id}`);
    await post(inbox.url, ...delivery(channel.id, secret));
    expect(await room.requests(inbox)).toMatchObject([{ verdict: { ok: true, channel_id: channel.id } }]);
  });

  test('the last 50 are kept, newest first, and all are counted', async () => {
    const db = await open();
    const room = await roomOn(db);
    const inbox = await room.receiver();
    const [first] = [await post(inbox.url, 'the first')];
    expect(first.status).toBe(200);
    // As many as there is room for, made older than any that comes.
    const [row] = await db.all<{ id: string; request: string }>('select * from received_requests');
    await db.insert(
      'received_requests',
      Array.from({ length: 60 }, (_, i) => ({
        ...{ ...row, id: `00000000-0000-7000-8000-0000000000${10 + i}`, receiver_id: inbox.id },
        ...{ project_id: room.project, at: Date.now() },
      })),
    );
    await post(inbox.url, 'the last');
    const all = await room.requests(inbox, '?limit=200');
    expect(all).toHaveLength(50);
    expect(all.slice(0, 3).map(({ body }) => body)).toEqual(['the last', 'the first', 'the first']);
    const page = (await room.call('GET', `/projects/${room.project}/receivers/${inbox.id}/requests?limit=30`))
      .json;
    const next = await room.requests(inbox, `?limit=30&cursor=${page.next}`);
    expect([...page.items, ...next].map(({ id }) => id as string)).toEqual(all.map(({ id }) => id));
    const { json } = await room.call('GET', `/projects/${room.project}/receivers/${inbox.id}`);
    expect(json).toMatchObject({ arrived: 2, version: 1 });
    expect(json.arrived_at).not.toBeNull();
  });

  test('of a large body the beginning is shown, at a whole character; a larger one is refused', async () => {
    const room = await roomOn(await open());
    const inbox = await room.receiver();
    const body = `a${'ü'.repeat(40_000)}`;
    await post(inbox.url, body);
    const [request] = await room.requests(inbox);
    expect(request).toMatchObject({ body_bytes: 80_001, body_cut: true });
    expect(request?.body).toBe(`a${'ü'.repeat(32_767)}`);
    await post(inbox.url, Uint8Array.of(0x61, 0xff, 0x00, 0x62));
    expect((await room.requests(inbox))[0]?.body).toBe('a\ufffd\u0000b');
    const large = await post(inbox.url, randomBytes(262_145));
    expect(large.status).toBe(413);
    expect(await room.requests(inbox)).toHaveLength(2);
  });

  test('cookies, credentials and keys of the service are withheld', async () => {
    const room = await roomOn(await open());
    const inbox = await room.receiver();
    await post(inbox.url, '', {
      ...{ authorization: `Bearer ${room.key}`, 'x-key': `a ${room.key}`, 'x-other': 'shown' },
      cookie: '__Host-headgate=hg_ses_x; a=b',
    });
    const [request] = await room.requests(inbox);
    const values = ['authorization', 'cookie', 'x-key', 'x-other'].map((name) =>
      header(request?.headers ?? [], name),
    );
    expect(values).toEqual(['(withheld)', '(withheld)', '(withheld)', 'shown']);
    expect(JSON.stringify(request)).not.toContain(room.key);
  });

  test('beyond its rate a receiver refuses who posts, answers deliveries all the same, and others go on', async () => {
    const room = await roomOn(await open());
    const [inbox, other, channel] = [await room.receiver(), await room.receiver(), await room.channel()];
    const answers: Response[] = [];
    // Far more than the rate and what may come at once let through, however long it takes.
    while (answers.every(({ status }) => status === 200)) {
      answers.push(...(await Promise.all(Array.from({ length: 60 }, () => post(inbox.url, 'x')))));
    }
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect((await post(other.url, 'x')).status).toBe(200);
    const endpoint = await room.endpointAt(inbox.url);
    for (let i = 0; i < 4; i++) {
      const sent = await room.call('POST', `/projects/${room.project}/endpoints/${endpoint.json.id}/test`, {
        channel_id: channel.id,
      });
      expect(sent.json).toMatchObject({ ok: true, status: 200 });
    }
  });

  test('an answer that is late is late for who posts, and does not outlast the host', async () => {
    const room = await roomOn(await open());
    const inbox = await room.receiver({ delay_ms: 12_000, status_code: 204 });
    let isAnswered = false;
    const waiting = post(inbox.url, 'x').then((response) => {
      isAnswered = true;
      return response.status;
    });
    await expect.poll(() => room.requests(inbox)).toHaveLength(1);
    expect(isAnswered).toBe(false);
    await room.host.stop();
    expect(await waiting).toBe(204);
  });

  test('an edit holds at once in the process that made it, also where notifications are lost', async () => {
    const room = await roomOn({ ...(await open()), listen: () => () => undefined });
    const inbox = await room.receiver();
    const statusOf = async () => (await post(inbox.url, 'x')).status;
    for (const status_code of [204, 500, 404, 200, 503]) {
      await statusOf();
      expect((await room.set(inbox, { status_code })).status).toBe(200);
      expect(await statusOf()).toBe(status_code);
    }
    await room.call('DELETE', `/projects/${room.project}/receivers/${inbox.id}`);
    expect(await statusOf()).toBe(404);
  });

  test('a deleted receiver is not found, keeps nothing, and its endpoint fails', async () => {
    const db = await open();
    const room = await roomOn(db);
    const [inbox] = [await room.receiver(), await room.channel()];
    const endpoint = await room.endpointAt(inbox.url);
    await post(inbox.url, 'x');
    const path = `/projects/${room.project}/receivers/${inbox.id}`;
    const stale = { headers: { 'if-match': '"9"' } };
    expect((await room.call('DELETE', path, undefined, stale)).status).toBe(412);
    expect((await room.call('DELETE', path)).status).toBe(204);
    expect((await post(inbox.url, 'x')).status).toBe(404);
    expect(await db.all('select id from received_requests')).toEqual([]);
    const sent = await room.call('POST', `/projects/${room.project}/endpoints/${endpoint.json.id}/test`);
    expect(sent.json).toMatchObject({ ok: false, status: 404, failure: 'http_status' });
    const audit = await room.call('GET', `/projects/${room.project}/audit?resource=receiver:${inbox.id}`);
    expect(audit.json.items).toMatchObject([{ action: 'receiver.deleted' }, { action: 'receiver.created' }]);
    expect(audit.text).not.toContain(inbox.url.slice(-32));
  });

  test('nothing that only looks like the URL of a receiver gets past the address guard', async () => {
    const room = await roomOn(await open());
    const [inbox, bait] = [await room.receiver(), await recording(200)];
    const { host, port } = new URL(room.url);
    const token = inbox.url.slice(-32);
    const lookalikes = [
      room.url,
      `${room.url}/receive/`,
      `${room.url}/receive/${token}/`,
      `${room.url}/receive/${token}0`,
      `${room.url}/receive/${token}?a=b`,
      `${room.url}/receive/${token}#a`,
      `${room.url}/receive/${token}/../../metrics`,
      `${room.url}/receive/..%2fmetrics`,
      `${room.url}/receive/%2e%2e/metrics`,
      `${room.url}/receive/${token.toUpperCase()}x`,
      `${room.url}//receive/${token}`,
      `http://user@${host}/receive/${token}`,
      `http://user:password@${host}/receive/${token}`,
      `http://${host}@127.0.0.1:${new URL(bait.url).port}/receive/${token}`,
      `http://127.0.0.1:${new URL(bait.url).port}/receive/${token}`,
      `https://${host}/receive/${token}`,
      `http://localhost:${port}/receive/${token}`,
      `http://[::ffff:127.0.0.1]:${port}/receive/${token}`,
      `http://127.0.0.2:${port}/receive/${token}`,
      `${room.url}/in/${token}`,
    ];
    for (const url of lookalikes) {
      const { status, json } = await room.endpointAt(url);
      expect([url, status, json.code]).toEqual([url, 422, 'invalid_document']);
    }
    // Other spellings of the very same URL lead to the receiver, and nowhere else.
    for (const url of [`HTTP://${host}/receive/${token}`, `${room.url}/a/../receive/${token}`]) {
      expect((await room.endpointAt(url)).status).toBe(201);
    }
    expect(bait.got).toEqual([]);
    expect(await room.requests(inbox)).toEqual([]);
  });

  test('a project has at most 20 receivers', async () => {
    const room = await roomOn(await open());
    const made: Made[] = [];
    for (let i = 0; i < 20; i++) made.push(await room.receiver());
    expect(new Set(made.map(({ url }) => url)).size).toBe(20);
    const more = await room.call('POST', `/projects/${room.project}/receivers`, { name: 'One more' });
    expect([more.status, more.json.code]).toEqual([409, 'conflict']);
    const { json } = await room.call('GET', `/projects/${room.project}/receivers?limit=2`);
    expect((json.items as Made[]).map(({ id }) => id)).toEqual([made[19]?.id, made[18]?.id]);
  });
});

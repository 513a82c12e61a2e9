/** The built-in receivers: what arrives is kept, judged and shown, answered as told, and harms nobody. */
import { randomBytes } from 'node:crypto';
import { createSigner } from 'headgate/signing';
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { receiver as recording } from '../world.js';
import { type Made, type ServedReceivers, serveOn } from './served.js';

const NOBODY = '01920000-0000-7000-8000-000000000000';

const post = (url: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers });
const header = (headers: readonly (readonly [string, string])[], name: string): string | undefined =>
  headers.find(([given]) => given.toLowerCase() === name)?.[1];

/** Secrets of a channel, oldest first. */
const secretsOf = async ({ call, project }: ServedReceivers, channel: string) =>
  (await call('GET', `/projects/${project}/channels/${channel}/secrets`)).json.items as {
    id: string;
    secret: string;
  }[];

const secretOf = async (served: ServedReceivers, channel: string): Promise<string> =>
  (await secretsOf(served, channel))[0]?.secret ?? '';

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
    const served = await serveOn(await open());
    const [inbox, channel] = [await served.receiver(), await served.channel()];
    expect(inbox.url).toMatch(new RegExp(`^${served.url}/receive/[0-9a-f]{32}$`));
    expect((await served.endpointAt(inbox.url)).status).toBe(201);
    const sent = await served.send(channel.url, { text: 'hello' });
    await expect.poll(() => served.requests(inbox)).toHaveLength(1);
    const [request] = await served.requests(inbox);
    const [secret] = await secretsOf(served, channel.id);
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
    expect(header(request?.headers ?? [], 'host')).toBe(new URL(served.url).host);
    const deliveries = async () =>
      (await served.call('GET', `/projects/${served.project}/deliveries`)).json.items;
    await expect.poll(deliveries).toMatchObject([{ state: 'delivered' }]);
  });

  test('while one secret replaces another, both are named; a test send is verified, too', async () => {
    const served = await serveOn(await open(), { HEADGATE_BRAND: 'Acme' });
    const [inbox, channel] = [await served.receiver(), await served.channel()];
    const endpoint = await served.endpointAt(inbox.url);
    await served.call('POST', `/projects/${served.project}/channels/${channel.id}/secrets`, {
      keep_hours: 1,
    });
    const path = `/projects/${served.project}/endpoints/${endpoint.json.id}/test`;
    expect((await served.call('POST', path)).json).toMatchObject({ ok: true, status: 200 });
    const [request] = await served.requests(inbox);
    const ids = (await secretsOf(served, channel.id)).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(request?.verdict).toMatchObject({ ok: true, secret_ids: ids });
    expect(header(request?.headers ?? [], 'acme-signature')).toMatch(/^t=/);
  });

  test('a status is answered as told: an attempt fails, is a dead letter, and arrives once the receiver is well', async () => {
    const served = await serveOn(await open());
    const [inbox, channel] = [await served.receiver({ status_code: 500 }), await served.channel()];
    await served.endpointAt(inbox.url, { retry_max_attempts: 1 });
    await served.send(channel.url, { text: 'hello' });
    const letters = async () =>
      (await served.call('GET', `/projects/${served.project}/dead-letters`)).json.items;
    await expect.poll(letters).toHaveLength(1);
    const [letter] = await letters();
    const path = `/projects/${served.project}/deliveries/${letter.id}`;
    const [attempt] = (await served.call('GET', path)).json.history;
    expect(attempt).toMatchObject({ failure: 'http_status', status_code: 500, url: inbox.url });
    expect(await served.requests(inbox)).toMatchObject([{ status_code: 500, verdict: { ok: true } }]);
    expect((await served.set(inbox, { status_code: 200 })).json).toMatchObject({
      status_code: 200,
      version: 2,
    });
    await served.call('POST', `${path}/retry`);
    await expect
      .poll(() => served.requests(inbox))
      .toMatchObject([{ status_code: 200 }, { status_code: 500 }]);
    await expect.poll(letters).toEqual([]);
  });

  test('what nobody of the project has signed is kept with the reason', async () => {
    const served = await serveOn(await open());
    const [inbox, channel] = [await served.receiver(), await served.channel()];
    const secret = await secretOf(served, channel.id);
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
      const [request] = await served.requests(inbox, '?limit=1');
      expect([code, request?.verdict.code, request?.verdict.ok]).toEqual([code, code, code === null]);
      expect(request?.body).toBe(body);
      if (code !== null) expect(request?.verdict.secret_ids).toEqual([]);
    }
  });

  test('the channel of another project verifies nothing, and nothing reveals that it exists', async () => {
    const db = await open();
    const [mine, theirs] = [await serveOn(db), await serveOn(db)];
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
    const served = await serveOn(await open());
    const [inbox, channel] = [await served.receiver(), await served.channel()];
    const secret = await secretOf(served, channel.id);
    await served.call('DELETE', `/projects/${served.project}/channels/${channel.id}`);
    await post(inbox.url, ...delivery(channel.id, secret));
    expect(await served.requests(inbox)).toMatchObject([{ verdict: { ok: true, channel_id: channel.id } }]);
  });

  test('the last 50 are kept, newest first, and all are counted', async () => {
    const db = await open();
    const served = await serveOn(db);
    const inbox = await served.receiver();
    const [first] = [await post(inbox.url, 'the first')];
    expect(first.status).toBe(200);
    // As many as there is room for, made older than any that comes.
    const [row] = await db.all<{ id: string; request: string }>('select * from received_requests');
    await db.insert(
      'received_requests',
      Array.from({ length: 60 }, (_, i) => ({
        ...{ ...row, id: `00000000-0000-7000-8000-0000000000${10 + i}`, receiver_id: inbox.id },
        ...{ project_id: served.project, at: Date.now() },
      })),
    );
    await post(inbox.url, 'the last');
    const all = await served.requests(inbox, '?limit=200');
    expect(all).toHaveLength(50);
    expect(all.slice(0, 3).map(({ body }) => body)).toEqual(['the last', 'the first', 'the first']);
    const page = (
      await served.call('GET', `/projects/${served.project}/receivers/${inbox.id}/requests?limit=30`)
    ).json;
    const next = await served.requests(inbox, `?limit=30&cursor=${page.next}`);
    expect([...page.items, ...next].map(({ id }) => id as string)).toEqual(all.map(({ id }) => id));
    const { json } = await served.call('GET', `/projects/${served.project}/receivers/${inbox.id}`);
    expect(json).toMatchObject({ arrived: 2, version: 1 });
    expect(json.arrived_at).not.toBeNull();
  });

  test('of a large body the beginning is shown, at a whole character; a larger one is refused', async () => {
    const served = await serveOn(await open());
    const inbox = await served.receiver();
    const body = `a${'ü'.repeat(40_000)}`;
    await post(inbox.url, body);
    const [request] = await served.requests(inbox);
    expect(request).toMatchObject({ body_bytes: 80_001, body_cut: true });
    expect(request?.body).toBe(`a${'ü'.repeat(32_767)}`);
    await post(inbox.url, Uint8Array.of(0x61, 0xff, 0x00, 0x62));
    expect((await served.requests(inbox))[0]?.body).toBe('a\ufffd\u0000b');
    const large = await post(inbox.url, randomBytes(262_145));
    expect(large.status).toBe(413);
    expect(await served.requests(inbox)).toHaveLength(2);
  });

  test('cookies, credentials and keys of the service are withheld', async () => {
    const served = await serveOn(await open());
    const inbox = await served.receiver();
    await post(inbox.url, '', {
      ...{ authorization: `Bearer ${served.key}`, 'x-key': `a ${served.key}`, 'x-other': 'shown' },
      cookie: '__Host-headgate=hg_ses_x; a=b',
    });
    const [request] = await served.requests(inbox);
    const values = ['authorization', 'cookie', 'x-key', 'x-other'].map((name) =>
      header(request?.headers ?? [], name),
    );
    expect(values).toEqual(['(withheld)', '(withheld)', '(withheld)', 'shown']);
    expect(JSON.stringify(request)).not.toContain(served.key);
  });

  test('beyond its rate a receiver refuses who posts, answers deliveries all the same, and others go on', async () => {
    const served = await serveOn(await open());
    const [inbox, other, channel] = [
      await served.receiver(),
      await served.receiver(),
      await served.channel(),
    ];
    const answers: Response[] = [];
    // Far more than the rate and what may come at once let through, however long it takes.
    while (answers.every(({ status }) => status === 200)) {
      answers.push(...(await Promise.all(Array.from({ length: 60 }, () => post(inbox.url, 'x')))));
    }
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect((await post(other.url, 'x')).status).toBe(200);
    const endpoint = await served.endpointAt(inbox.url);
    for (let i = 0; i < 4; i++) {
      const sent = await served.call(
        'POST',
        `/projects/${served.project}/endpoints/${endpoint.json.id}/test`,
        {
          channel_id: channel.id,
        },
      );
      expect(sent.json).toMatchObject({ ok: true, status: 200 });
    }
  });

  test('an answer that is late is late for who posts, and does not outlast the host', async () => {
    const served = await serveOn(await open());
    const inbox = await served.receiver({ delay_ms: 12_000, status_code: 204 });
    let isAnswered = false;
    const waiting = post(inbox.url, 'x').then((response) => {
      isAnswered = true;
      return response.status;
    });
    await expect.poll(() => served.requests(inbox)).toHaveLength(1);
    expect(isAnswered).toBe(false);
    await served.host.stop();
    expect(await waiting).toBe(204);
  });

  test('an edit holds at once in the process that made it, even if notifications are lost', async () => {
    const served = await serveOn({ ...(await open()), listen: () => () => undefined });
    const inbox = await served.receiver();
    const statusOf = async () => (await post(inbox.url, 'x')).status;
    for (const status_code of [204, 500, 404, 200, 503]) {
      await statusOf();
      expect((await served.set(inbox, { status_code })).status).toBe(200);
      expect(await statusOf()).toBe(status_code);
    }
    await served.call('DELETE', `/projects/${served.project}/receivers/${inbox.id}`);
    expect(await statusOf()).toBe(404);
  });

  test('a deleted receiver is not found, keeps nothing, and its endpoint fails', async () => {
    const db = await open();
    const served = await serveOn(db);
    const [inbox] = [await served.receiver(), await served.channel()];
    const endpoint = await served.endpointAt(inbox.url);
    await post(inbox.url, 'x');
    const path = `/projects/${served.project}/receivers/${inbox.id}`;
    const stale = { headers: { 'if-match': '"9"' } };
    expect((await served.call('DELETE', path, undefined, stale)).status).toBe(412);
    expect((await served.call('DELETE', path)).status).toBe(204);
    expect((await post(inbox.url, 'x')).status).toBe(404);
    expect(await db.all('select id from received_requests')).toEqual([]);
    const sent = await served.call('POST', `/projects/${served.project}/endpoints/${endpoint.json.id}/test`);
    expect(sent.json).toMatchObject({ ok: false, status: 404, failure: 'http_status' });
    const audit = await served.call('GET', `/projects/${served.project}/audit?resource=receiver:${inbox.id}`);
    expect(audit.json.items).toMatchObject([{ action: 'receiver.deleted' }, { action: 'receiver.created' }]);
    expect(audit.text).not.toContain(inbox.url.slice(-32));
  });

  test('nothing that only looks like the URL of a receiver gets past the address guard', async () => {
    const served = await serveOn(await open());
    const [inbox, bait] = [await served.receiver(), await recording(200)];
    const { host, port } = new URL(served.url);
    const token = inbox.url.slice(-32);
    const lookalikes = [
      served.url,
      `${served.url}/receive/`,
      `${served.url}/receive/${token}/`,
      `${served.url}/receive/${token}0`,
      `${served.url}/receive/${token}?a=b`,
      `${served.url}/receive/${token}#a`,
      `${served.url}/receive/${token}/../../metrics`,
      `${served.url}/receive/..%2fmetrics`,
      `${served.url}/receive/%2e%2e/metrics`,
      `${served.url}/receive/${token.toUpperCase()}x`,
      `${served.url}//receive/${token}`,
      `http://user@${host}/receive/${token}`,
      `http://user:password@${host}/receive/${token}`,
      `http://${host}@127.0.0.1:${new URL(bait.url).port}/receive/${token}`,
      `http://127.0.0.1:${new URL(bait.url).port}/receive/${token}`,
      `https://${host}/receive/${token}`,
      `http://localhost:${port}/receive/${token}`,
      `http://[::ffff:127.0.0.1]:${port}/receive/${token}`,
      `http://127.0.0.2:${port}/receive/${token}`,
      `${served.url}/in/${token}`,
    ];
    for (const url of lookalikes) {
      const { status, json } = await served.endpointAt(url);
      expect([url, status, json.code]).toEqual([url, 422, 'invalid_document']);
    }
    // Other spellings of the very same URL lead to the receiver, and nowhere else.
    for (const url of [`HTTP://${host}/receive/${token}`, `${served.url}/a/../receive/${token}`]) {
      expect((await served.endpointAt(url)).status).toBe(201);
    }
    expect(bait.got).toEqual([]);
    expect(await served.requests(inbox)).toEqual([]);
  });

  test('a project has at most 20 receivers', async () => {
    const served = await serveOn(await open());
    const made: Made[] = [];
    for (let i = 0; i < 20; i++) made.push(await served.receiver());
    expect(new Set(made.map(({ url }) => url)).size).toBe(20);
    const more = await served.call('POST', `/projects/${served.project}/receivers`, { name: 'One more' });
    expect([more.status, more.json.code]).toEqual([409, 'conflict']);
    const { json } = await served.call('GET', `/projects/${served.project}/receivers?limit=2`);
    expect((json.items as Made[]).map(({ id }) => id)).toEqual([made[19]?.id, made[18]?.id]);
  });
});

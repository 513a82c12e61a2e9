/** Signers of deliveries: the deliveries of one event are signed once, and every delivery with its own headers. */
import type { Delivery } from 'headgate/delivery';
import { createVerifier } from 'headgate/signing';
import { describe, expect, test } from 'vitest';
import { createSigners, type SignedTarget } from '../../src/delivering/signers.js';

const SECRETS: Readonly<Record<string, readonly string[]>> = { one: ['secret-1'], two: ['secret-2'] };
const BODIES = ['{"n":1}', '{"n":2}'].map((text) => new TextEncoder().encode(text));
const ABOUT = { eventId: 'evt_1', eventType: 'x', origin: 'live', timestamp: 1_700_000_000 } as const;

const signers = createSigners((channel) => Promise.resolve(SECRETS[channel] ?? []));

const signerOf = (channel: string) =>
  signers(
    { columns: { channel_id: channel } } as unknown as Delivery,
    { signature: 'svc', headers: null, secrets: null } as unknown as SignedTarget,
  );

describe('the deliveries of one event', () => {
  test('are signed once if they are sent in the same second', async () => {
    const [first, second] = [await signerOf('one'), await signerOf('one')];
    const headers = await first.headers(BODIES[0]!, ABOUT);
    expect(await second.headers(BODIES[0]!, { ...ABOUT })).toBe(headers);
  });

  test.for([
    { other: 'body', channel: 'one', body: BODIES[1]!, about: ABOUT },
    { other: 'second', channel: 'one', body: BODIES[0]!, about: { ...ABOUT, timestamp: 1_700_000_001 } },
    { other: 'origin', channel: 'one', body: BODIES[0]!, about: { ...ABOUT, origin: 'replay' } as const },
    { other: 'event', channel: 'one', body: BODIES[0]!, about: { ...ABOUT, eventId: 'evt_2' } },
    { other: 'type', channel: 'one', body: BODIES[0]!, about: { ...ABOUT, eventType: 'y' } },
    { other: 'secret', channel: 'two', body: BODIES[0]!, about: ABOUT },
  ])('another $other has headers of its own', async ({ channel, body, about }) => {
    await (await signerOf('one')).headers(BODIES[0]!, ABOUT);
    const headers = await (await signerOf(channel)).headers(body, about);
    const verify = createVerifier({ secrets: SECRETS[channel]!, now: () => about.timestamp });
    expect(verify(body, headers)).toMatchObject(about);
  });
});

/** The receiver, by the doors that need nothing of a runtime. */
import {
  createMemorySeenStore,
  createReceiver,
  type Receiver,
  type ReceiverOptions,
} from 'headgate/receiver';
import { createSigner } from 'headgate/signing/web';
import { type Checks, equal } from './checks.js';

const SECRET = 'whsec_of_runtimes';
const MAX_BYTES = 10_000;
const BODY = JSON.stringify({ id: 'evt_1', type: 'order.paid', data: { body: { name: 'Zoë' } } });
const sign = createSigner({ secrets: SECRET });

interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A genuine delivery, signed some seconds ago. */
async function delivery(body = BODY, secondsAgo = 0): Promise<Delivery> {
  const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo;
  const about = { eventId: 'evt_1', eventType: 'order.paid', origin: 'live' as const, timestamp };
  return { body, headers: await sign.headers(body, about) };
}

interface Stage {
  readonly receiver: Receiver;
  readonly handled: unknown[];
}

function stage(options: Partial<ReceiverOptions> = {}): Stage {
  const handled: unknown[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    maxBytes: MAX_BYTES,
    seen: createMemorySeenStore({ maxKeys: 100 }),
    handle: (event) => void handled.push(event),
    onError: () => undefined,
    ...options,
  });
  return { receiver, handled };
}

const shown = (status: number, body: string): string =>
  body === '' ? `${status}` : `${status} ${(JSON.parse(body) as { readonly code: string }).code}`;

const doors: Readonly<Record<string, (receiver: Receiver, sent: Delivery) => Promise<string>>> = {
  async fetch({ fetch }, sent) {
    const answer = await fetch(new Request('https://example.com/hooks', { method: 'POST', ...sent }));
    return shown(answer.status, await answer.text());
  },
  async lambda({ lambda }, { body, headers }) {
    const utf8 = String.fromCharCode(...new TextEncoder().encode(body));
    const event = { headers, body: btoa(utf8), isBase64Encoded: true };
    const { statusCode, body: answer } = await lambda({
      ...event,
      requestContext: { http: { method: 'POST' } },
    });
    return shown(statusCode, answer);
  },
};

const checksOf = (door: string, send: (receiver: Receiver, sent: Delivery) => Promise<string>): Checks => ({
  [`${door}: a genuine delivery is handled once`]: async () => {
    const { receiver, handled } = stage();
    const sent = await delivery();
    equal([await send(receiver, sent), await send(receiver, sent)], ['204', '204'], 'answers');
    equal(handled, [JSON.parse(BODY)], 'handled');
  },

  [`${door}: one that is not genuine is refused`]: async () => {
    const { receiver, handled } = stage();
    const { headers } = await delivery();
    const answers = [
      await send(receiver, { headers, body: BODY.replace('Zoë', 'Zoe') }),
      await send(receiver, await delivery(BODY, 301)),
      await send(receiver, { headers: {}, body: BODY }),
      await send(receiver, await delivery('{')),
      await send(receiver, await delivery(`"${'x'.repeat(MAX_BYTES)}"`)),
    ];
    const wanted = ['signature_mismatch', 'timestamp_too_old', 'missing_header', 'invalid_json'];
    equal(answers, [...wanted.map((code) => `400 ${code}`), '413 body_too_large'], 'answers');
    equal(handled, [], 'handled');
  },

  [`${door}: a handler that fails is asked again`]: async () => {
    let isBroken = true;
    const { receiver } = stage({
      handle: () => {
        if (isBroken) throw new Error('on purpose');
      },
    });
    const sent = await delivery();
    const first = await send(receiver, sent);
    isBroken = false;
    equal([first, await send(receiver, sent)], ['503 handler_failed', '204'], 'answers');
  },
});

/** The checks of the receiver. */
export const receiverChecks: Checks = Object.assign(
  {},
  ...Object.entries(doors).map(([door, send]) => checksOf(door, send)),
) as Checks;

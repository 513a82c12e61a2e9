/** Forwards the live events of a project to an app: `headgate listen --forward-to`. */
import { createHttpTransport } from '../adapters/http/index.js';
import { type Client, type ClientEvent, createClient } from '../client/index.js';
import { stringifyJson } from '../json-text.js';
import { createSigner } from '../signing/index.js';
import { type Context, Failure, UsageError } from './context.js';
import { styled } from './output/printer.js';
import { plural } from './output/text.js';
import { showValue } from './output/value.js';
import { ANYWHERE, answerLine, assertUrl } from './sending.js';
import type { Exit } from './table/command.js';

/** The events to forward, and where to. */
export interface Forwarding {
  readonly to: string;
  /** The URL of the host. */
  readonly from: string;
  readonly secrets: readonly string[];
  /** The secret that was generated for this run; null if the user gave some. */
  readonly own: string | null;
  readonly scheme: 'svc' | 'standard_webhooks' | 'both';
  readonly brand: string;
  readonly data: boolean;
  readonly json: boolean;
}

/** The host must have answered by then. */
const ANSWER_MS = 10_000;

/**
 * Forwards until it is interrupted, or the host ends the connection for good.
 *
 * @throws {@link UsageError} if a URL or the key is missing or cannot work.
 * @throws {@link Failure} if the host does not answer, or refuses the key.
 */
export async function forward(options: Forwarding, context: Context): Promise<Exit> {
  const { HEADGATE_KEY: key = '' } = context.env;
  if (key === '') throw new UsageError('there is no key: set HEADGATE_KEY to a key with the scope receive');
  assertUrl('--forward-to', options.to);
  assertUrl('--from', options.from);
  const from = options.from.replace(/\/+$/, '');
  const send = createSending(options, context);
  const project = await projectOf(from, key);
  const counts = { events: 0, accepted: 0 };
  const client = createClient({ url: from, project, key });
  client.on('event', async (received) => {
    counts.events++;
    if (await send(received)) counts.accepted++;
  });
  await report(client, options, context);
  await send.close();
  await context.say.line(`${plural(counts.events, 'event')}, ${counts.accepted} accepted`);
  return 0;
}

/** Reports changes of the connection, until it has ended. */
async function report(
  client: Client,
  { to, own }: Forwarding,
  { say, interruption }: Context,
): Promise<void> {
  let isFirst = true;
  client.on('error', (error) => void say.line(styled('yellow', error.code), ` ${error.message}`));
  client.on('state', ({ state }) => {
    if (state !== 'open' || !isFirst) return;
    isFirst = false;
    void say.line(styled('green', `forwarding events to ${to}`), '; stop with Ctrl-C');
    // A secret of the user is never printed. This one nobody could know otherwise.
    if (own !== null) void say.line('secret of this run: ', styled('bold', own));
  });
  interruption().addEventListener('abort', () => void client.close());
  const reason = await client.closed;
  if (reason !== null) throw reason;
}

/** Sends events, one after the other, and prints each with its answer. */
function createSending({ to, secrets, scheme, brand, data, json }: Forwarding, { out, now }: Context) {
  const signer = createSigner({ secrets, scheme, brand });
  const transport = createHttpTransport({ allow: ANYWHERE });
  const send = async ({ event, origin }: ClientEvent): Promise<boolean> => {
    const { id, type } = event;
    const body = new TextEncoder().encode(stringifyJson(event));
    const at = now();
    const timestamp = Math.floor(at / 1_000);
    const headers = signer.headers(body, { eventId: id, eventType: type, origin, timestamp });
    const outcome = await transport.send({ url: to, headers, body }, new AbortController().signal);
    const ms = now() - at;
    if (json) {
      const about = { at: new Date(at).toISOString(), event_id: id, event_type: type, origin };
      await out.json({ ...about, ...outcome, ms, ...(data && { data: event.data }) });
      return outcome.ok;
    }
    const topic = event.topic === undefined || event.topic === type ? '' : ` ${event.topic}`;
    await out.line(`--> ${type}${topic} ${id}${origin === 'replay' ? ' (replay)' : ''}`);
    if (data) await out.line(`    ${showValue(event.data, Infinity)}`);
    await out.line(...answerLine(outcome, ms));
    return outcome.ok;
  };
  return Object.assign(send, { close: () => transport.close() });
}

/** The project of a key. */
async function projectOf(from: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${from}/session`, { headers, signal: AbortSignal.timeout(ANSWER_MS) }).catch(
    (error: unknown) => {
      throw new Failure(`cannot reach a host at ${from}: ${causeOf(error)}`);
    },
  );
  if (answer.status === 401) throw new Failure('the host does not know this key: check HEADGATE_KEY');
  const session = (await answer.json().catch(() => null)) as { project?: unknown; scopes?: unknown } | null;
  if (!answer.ok || !Array.isArray(session?.scopes)) {
    throw new Failure(`there is no host of Headgate at ${from}: it answered ${answer.status}`);
  }
  if (!session.scopes.includes('receive')) {
    throw new Failure('the key needs the scope receive: make one that has it');
  }
  if (typeof session.project !== 'string') {
    throw new Failure('this is the key of the operator: give a key of a project');
  }
  return session.project;
}

const causeOf = (error: unknown): string => {
  const { cause = error } = error as { readonly cause?: unknown };
  return cause instanceof Error ? cause.message || cause.name : String(cause);
};

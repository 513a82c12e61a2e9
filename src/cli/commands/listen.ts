/** `headgate listen` */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceiver, type Event, type HeadgateError } from '../../receiver/index.js';
import { type Context, Failure } from '../context.js';
import { forward } from '../forward.js';
import { secretsOf } from '../input/secrets.js';
import { type Part, styled } from '../output/printer.js';
import { plural } from '../output/text.js';
import { showValue } from '../output/value.js';
import type { Run } from '../table/command.js';
import type { listenSpec } from '../table/signing.js';
import type { Values } from '../table/spec.js';

export const run: Run<typeof listenSpec> = async ({ options }, context) => {
  const given = await secretsOf(options, context);
  const own = given.length === 0 ? `whsec_${Buffer.from(context.random(24)).toString('base64')}` : null;
  const { 'forward-to': to } = options;
  if (to !== undefined) {
    return forward({ ...options, to, secrets: own === null ? given : [own], own }, context);
  }
  const desk = new Desk(options, own === null ? given : [own], context);
  const ended = new Promise<void>((resolve, reject) => {
    context.interruption().addEventListener('abort', () => resolve());
    desk.onFailure = reject;
  });
  try {
    const { address, port } = await desk.open();
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;
    await context.say.line(styled('green', `listening at ${url}`), '; stop with Ctrl-C');
    // A secret of the user is never printed. This one nobody could know otherwise.
    if (own !== null) {
      await context.say.line('secret of this run: ', styled('bold', own));
      await context.say.line(`try: HEADGATE_SECRET=${own} headgate send ${url}`);
    }
    await ended;
  } finally {
    desk.close();
  }
  await context.say.line(
    `${plural(desk.requests, 'request')}, ${plural(desk.genuine, 'genuine delivery', 'genuine deliveries')}`,
  );
  return 0;
};

type Options = Values<typeof listenSpec>['options'];

/** Bytes of a body that is read. */
const MAX_BYTES = 33_554_432;

/** A request, once it is answered. */
interface Served {
  event: Event | null;
  error: HeadgateError | null;
  readonly status: number;
  readonly ms: number;
}

/** Answers requests, and prints them. Made when the command begins; open until it ends. */
class Desk {
  readonly server: Server;
  requests = 0;
  genuine = 0;
  onFailure: (error: unknown) => void = () => undefined;
  readonly #options: Options;
  readonly #secrets: readonly string[];
  readonly #context: Context;

  constructor(options: Options, secrets: readonly string[], context: Context) {
    this.#options = options;
    this.#secrets = secrets;
    this.#context = context;
    this.server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => this.onFailure(error));
    });
    // Refuses secrets that cannot be any before it listens.
    this.#receiver(
      () => undefined,
      () => undefined,
    );
  }

  open(): Promise<AddressInfo> {
    const { port, host } = this.#options;
    return new Promise((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => reject(unopened(error, port)));
      this.server.listen(port, host, () => resolve(this.server.address() as AddressInfo));
    });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  #receiver(handle: (event: Event) => void, onError: (error: HeadgateError) => void) {
    const { brand, 'max-age': maxAge } = this.#options;
    const { now } = this.#context;
    return createReceiver({
      secrets: this.#secrets,
      brand,
      toleranceSeconds: maxAge / 1_000,
      now: () => Math.floor(now() / 1_000),
      maxBytes: MAX_BYTES,
      handle,
      onError,
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { now } = this.#context;
    const startedAt = now();
    const found: Pick<Served, 'event' | 'error'> = { event: null, error: null };
    // One for each request, so that its event and its error are known to be its own.
    const receiver = this.#receiver(
      (event) => void (found.event = event),
      (error) => void (found.error = error),
    );
    let status = 0;
    await receiver.node(request, {
      headersSent: false,
      writeHead: (answer, headers) => {
        status = found.event === null ? answer : this.#options.answer;
        response.writeHead(status, headers);
      },
      end: (body) => response.end(body),
    });
    this.requests++;
    if (found.event !== null) this.genuine++;
    await this.#tell(request, { ...found, status, ms: now() - startedAt });
  }

  /** Prints a request and its answer, with nothing of another request between them. */
  async #tell(request: IncomingMessage, served: Served): Promise<void> {
    const { out, now } = this.#context;
    if (this.#options.json) {
      await out.json({ at: new Date(now()).toISOString(), ...this.#recordOf(request, served) });
      return;
    }
    const lines: Part[][] = [this.#arrival(request, served)];
    if (this.#options.data && served.event !== null) {
      lines.push([`    ${showValue(served.event.data, Infinity)}`]);
    }
    const { status, ms } = served;
    lines.push(['<-- ', styled(status < 300 ? 'green' : 'red', String(status)), ` ${ms} ms`]);
    await Promise.all(lines.map((parts) => out.line(...parts)));
  }

  #arrival(request: IncomingMessage, { event, error }: Served): Part[] {
    if (event !== null) {
      return [`--> ${event.type} ${event.id} `, styled('green', 'verified'), this.#note(request)];
    }
    const { method = '', url = '' } = request;
    const reason = error === null ? 'not handled' : `${error.code}: ${error.message}`;
    return [`--> ${method} ${url} `, styled('red', 'refused'), ` ${reason}`];
  }

  /** ` (replay)`, where the sender says so. */
  #note(request: IncomingMessage): string {
    return this.#header(request, 'Origin') === 'replay' ? ' (replay)' : '';
  }

  #header({ headers }: IncomingMessage, part: string): string | null {
    return headers[`${this.#options.brand}-${part}`.toLowerCase()]?.toString() ?? null;
  }

  #recordOf(request: IncomingMessage, { event, error, status, ms }: Served): object {
    return {
      event_id: event?.id ?? this.#header(request, 'Event-Id'),
      event_type: event?.type ?? this.#header(request, 'Event-Type'),
      origin: this.#header(request, 'Origin'),
      verified: event !== null,
      code: error?.code ?? null,
      status,
      ms,
      ...(this.#options.data && event !== null && { data: event.data }),
    };
  }
}

function unopened(error: NodeJS.ErrnoException, port: number): Error {
  return error.code === 'EADDRINUSE'
    ? new Failure(`port ${port} is in use: give another one with --port, or --port 0 for a free one`)
    : error;
}

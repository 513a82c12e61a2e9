/** Customers: HTTP servers that verify every signature, and then do as they please. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createVerifier, SignatureError } from 'headgate/signing';

/** How a receiver answers genuine deliveries. */
export interface Behavior {
  /** The secrets of the channel. */
  readonly secrets: string | readonly string[];
  /** The status of the answer to the n-th request for an event. */
  readonly answer: (attempt: number) => number | Promise<number>;
  /** Called before each answer. */
  readonly answered?: (eventId: string, status: number) => void;
}

/** A receiver, and what it has seen. */
export interface Receiver<Name extends string = string> {
  readonly name: Name;
  readonly url: string;
  /** Requests whose signature held. */
  readonly verified: number;
  /** Requests refused, by code. */
  readonly refused: readonly string[];
  /** When each genuine request arrived, in Unix ms, by event id. */
  readonly requests: ReadonlyMap<string, readonly number[]>;
  /** Times each event was answered with 2xx, by event id. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Whether any body held this text. */
  readonly saw: (text: string) => boolean;
  readonly close: () => void;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function startReceiver<Name extends string>(
  name: Name,
  { secrets, answer, answered }: Behavior,
): Promise<Receiver<Name>> {
  const verify = createVerifier({ secrets });
  const requests = new Map<string, number[]>();
  const accepted = new Map<string, number>();
  const refused: string[] = [];
  const bodies: Buffer[] = [];
  let verified = 0;

  /** The status to answer with; throws what the verifier throws. */
  const receive = async (body: Buffer, headers: IncomingMessage['headers']): Promise<number> => {
    const { eventId } = verify(body, headers);
    verified++;
    bodies.push(body);
    const arrived = [...(requests.get(eventId) ?? []), Date.now()];
    requests.set(eventId, arrived);
    const status = await answer(arrived.length);
    if (status < 300) accepted.set(eventId, (accepted.get(eventId) ?? 0) + 1);
    answered?.(eventId, status);
    return status;
  };

  const respond = async (request: IncomingMessage): Promise<number> => {
    try {
      return await receive(await bodyOf(request), request.headers);
    } catch (error) {
      refused.push(error instanceof SignatureError ? error.code : String(error));
      return 400;
    }
  };

  const server = createServer((request, response) => {
    void respond(request).then((status) => response.writeHead(status).end());
  });
  const { port } = await listen(server);
  return {
    name,
    url: `http://127.0.0.1:${port}/hooks`,
    get verified() {
      return verified;
    },
    refused,
    requests,
    accepted,
    saw: (text) => bodies.some((body) => body.includes(text)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const listen = (server: Server): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      resolve(server.address() as AddressInfo);
    });
  });

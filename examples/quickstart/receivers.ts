/** Customers: HTTP servers that verify every signature, and then do as they please. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createVerifier, SignatureError } from 'headgate/signing';
import { behaviors, type ReceiverName } from './project.js';

/** A receiver, and what it has seen. */
export interface Receiver {
  readonly name: ReceiverName;
  readonly url: string;
  /** Requests whose signature held. */
  readonly verified: number;
  /** Requests refused, by code. */
  readonly refused: readonly string[];
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

export async function startReceiver(name: ReceiverName, secret: string): Promise<Receiver> {
  const verify = createVerifier({ secrets: secret });
  const attempts = new Map<string, number>();
  const accepted = new Map<string, number>();
  const refused: string[] = [];
  const bodies: Buffer[] = [];
  let verified = 0;

  /** The status to answer with; throws what the verifier throws. */
  const receive = (body: Buffer, headers: IncomingMessage['headers']): number => {
    const { eventId } = verify(body, headers);
    verified++;
    bodies.push(body);
    const attempt = (attempts.get(eventId) ?? 0) + 1;
    attempts.set(eventId, attempt);
    const status = behaviors[name](attempt);
    if (status < 300) accepted.set(eventId, (accepted.get(eventId) ?? 0) + 1);
    return status;
  };

  const answer = async (request: IncomingMessage): Promise<number> => {
    try {
      return receive(await bodyOf(request), request.headers);
    } catch (error) {
      refused.push(error instanceof SignatureError ? error.code : String(error));
      return 400;
    }
  };

  const server = createServer((request, response) => {
    void answer(request).then((status) => response.writeHead(status).end());
  });
  const { port } = await listen(server);
  return {
    name,
    url: `http://127.0.0.1:${port}/hooks`,
    get verified() {
      return verified;
    },
    refused,
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

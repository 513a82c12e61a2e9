/**
 * Turns requests into the events of AWS Lambda, as each of its fronts documents them, and calls the handler of
 * `lambda.ts`. AWS's own runtime has native code that would have to be compiled.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { handler } from '../lambda.ts';

type Lambda = Parameters<typeof handler>[0];

/** Bodies that are not text come as base64. */
function bodyOf(bytes: Buffer, { headers }: IncomingMessage): Pick<Lambda, 'body' | 'isBase64Encoded'> {
  const isText = headers['content-type'] === 'application/json' && headers['content-encoding'] === undefined;
  return isText
    ? { body: bytes.toString(), isBase64Encoded: false }
    : { body: bytes.toString('base64'), isBase64Encoded: true };
}

/** Most bytes that a front passes on. */
const MAX_BYTES = 6 * 1_048_576;

/** The body; null if it is too large. Rejects where it breaks off. */
async function read(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) return null;
  }
  return Buffer.concat(chunks);
}

/** The headers as they were spelled. */
const spelled = ({ rawHeaders }: IncomingMessage): [string, string][] =>
  rawHeaders.flatMap((name, n) => (n % 2 === 0 ? [[name, rawHeaders[n + 1] ?? ''] as [string, string]] : []));

const lower = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(spelled(request).map(([name, value]) => [name.toLowerCase(), value]));

const many = (request: IncomingMessage): Record<string, string[]> =>
  Object.fromEntries(spelled(request).map(([name, value]) => [name, [value]]));

const fronts: Readonly<Record<string, (request: IncomingMessage, body: Pick<Lambda, 'body'>) => Lambda>> = {
  url: (request, body) => ({
    ...{ version: '2.0', rawPath: request.url ?? '', rawQueryString: '', headers: lower(request), ...body },
    requestContext: { http: { method: request.method ?? '' } },
  }),
  v1: (request, body) => ({
    ...{ version: '1.0', path: request.url ?? '', httpMethod: request.method ?? '', ...body },
    headers: Object.fromEntries(spelled(request)),
    multiValueHeaders: many(request),
  }),
  alb: (request, body) => ({
    ...{ path: request.url ?? '', httpMethod: request.method ?? '', headers: lower(request), ...body },
  }),
  'alb-multi': (request, body) => ({
    ...{ path: request.url ?? '', httpMethod: request.method ?? '', ...body },
    multiValueHeaders: many(request),
  }),
};

const { FRONT = '', PORT } = process.env;

createServer((request, response) => {
  read(request).then(
    async (bytes) => {
      if (bytes === null) return response.writeHead(413).end();
      const result = await handler(fronts[FRONT]!(request, bodyOf(bytes, request)));
      return response.writeHead(result.statusCode, result.headers).end(result.body);
    },
    () => undefined,
  );
}).listen(Number(PORT), '127.0.0.1');

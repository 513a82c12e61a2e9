/** A receiver: one way of a delivery, three doors. */
import { fromFetch, toResponse } from './from-fetch.js';
import { fromLambda, type LambdaEvent, type LambdaResult, toLambda } from './from-lambda.js';
import { answerNode, fromNode, type NodeRequest, type NodeResponse, takeOver } from './from-node.js';
import { checkOptions, type Event, type ReceiverOptions } from './options.js';
import { createProcess } from './process.js';

/** Takes deliveries from any framework. Its functions need no `this`, so each may be passed on alone. */
export interface Receiver {
  /** Hono (`c.req.raw`), Next.js, Workers, Deno, Bun, SvelteKit, Remix, Astro, Nitro. It never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * node:http, Express and NestJS: the request and the response. Fastify: `request` and `reply`. Koa: `ctx.request` and
   * `ctx.response`. Resolves once it has answered; it never rejects.
   */
  readonly node: (request: NodeRequest, response: NodeResponse) => Promise<void>;
  /** AWS Lambda, behind a function URL, API Gateway or a load balancer. It never rejects. */
  readonly lambda: (event: LambdaEvent) => Promise<LambdaResult>;
}

/** In Express, `fetch` is called with a response beside the request, and nobody sends what it returns. */
const fetchOf =
  (process: ReturnType<typeof createProcess>) =>
  async (request: Request, response?: unknown): Promise<Response> => {
    const answer = await process(() => fromFetch(request));
    answerNode(response as NodeResponse, answer);
    return toResponse(answer);
  };

/**
 * Makes a receiver of webhooks: it reads the raw body, verifies it, handles each event once, and answers.
 *
 * | Answer | When |
 * | --- | --- |
 * | 204 | The event is handled, now or before. |
 * | 400 | The delivery is not genuine, or its body is not an event. |
 * | 413 | The body has more than `maxBytes`. |
 * | 503 | The handler failed, an earlier request is still being handled, or the receiver is mounted wrongly: the sender tries again. |
 *
 * The answer's body is the error's code, and nothing else. `onError` gets the message.
 *
 * @example
 * ```ts
 * import { createMemorySeenStore, createReceiver } from 'headgate/receiver';
 *
 * const receiver = createReceiver({
 *   secrets: () => process.env['SIGNING_SECRET'] ?? '', // an empty secret is refused
 *   seen: createMemorySeenStore({ maxKeys: 100_000 }),
 *   handle: (event) => console.log(event.type, event.data),
 * });
 *
 * export const POST = receiver.fetch; // Next.js
 * // Express: app.post('/hooks', receiver.node);
 * ```
 * @throws {@link OptionError} `invalid_option`, `invalid_secret`, `invalid_brand`
 * @see docs/receivers.md
 */
export function createReceiver<E = Event>(options: ReceiverOptions<E>): Receiver {
  checkOptions(options);
  const process = createProcess(options);
  return {
    fetch: fetchOf(process),
    async node(request, response) {
      takeOver(response);
      const answer = await process(() => fromNode(request));
      // A framework of fetch sends what its handler returns, and so tells who mounted the wrong function.
      if (!answerNode(response, answer)) return toResponse(answer) as unknown as undefined;
    },
    lambda: async (event) => toLambda(event, await process(() => fromLambda(event))),
  };
}

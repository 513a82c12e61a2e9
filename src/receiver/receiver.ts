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

/**
 * Makes a receiver of webhooks: it reads the raw body, verifies it, handles each event once, and answers.
 *
 * | Answer | When |
 * | --- | --- |
 * | 204 | The event is handled, now or before. |
 * | 400 | The delivery is not genuine, or its body is no event. |
 * | 413 | The body has more than `maxBytes`. |
 * | 503 | The handler failed, or an earlier request is still being handled: the sender tries again. |
 *
 * The answer's body is the error's code, and no more. `onError` gets the message.
 *
 * @example
 * ```ts
 * import { createMemorySeenStore, createReceiver } from 'headgate/receiver';
 *
 * const receiver = createReceiver({
 *   secrets: process.env['SIGNING_SECRET'] ?? 'whsec_test',
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
    fetch: async (request) => toResponse(await process(fromFetch(request))),
    async node(request, response) {
      takeOver(response);
      answerNode(response, await process(fromNode(request)));
    },
    lambda: async (event) => toLambda(event, await process(fromLambda(event))),
  };
}

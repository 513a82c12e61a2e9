/** Reads the body of a request before the receiver does. */
import type { Receiver } from 'headgate/receiver';

export const readingBefore =
  ({ fetch }: Receiver) =>
  async (request: Request): Promise<Response> => {
    if (request.method === 'POST') console.log(`got ${typeof (await request.json())}`);
    return fetch(request);
  };

/** The receiver of all these apps: each order once, a line for each. */
import {
  createMemorySeenStore,
  createReceiver,
  type Event,
  type Receiver,
  type ReceiverOptions,
} from 'headgate/receiver';

/** The data of an event, as its sender sends it. */
interface Order {
  readonly body: { readonly amount: number; readonly name: string };
}

/** @param secrets - The secrets of the channel; a function where they are not there yet when the module loads. */
export const createOrders = (secrets: ReceiverOptions['secrets']): Receiver =>
  createReceiver<Event<Order>>({
    secrets,
    seen: createMemorySeenStore({ maxKeys: 10_000 }),
    handle: async ({ id, data: { body } }, { origin }) => {
      if (body.amount < 0) throw new RangeError(`amount: got ${body.amount}`);
      await new Promise((resolve) => setTimeout(resolve, 20)); // the work of an app
      console.log(`booked ${origin} ${id}: ${body.amount} by ${body.name}`);
    },
  });

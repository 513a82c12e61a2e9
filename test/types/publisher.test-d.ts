/** The types of a publisher: of each type, the data that belongs to it. */
import { expectTypeOf, test } from 'vitest';
import { createPublisher, type PublishEvent, type Publisher } from 'headgate/publisher';

interface Events {
  'invoice.paid': { id: string; amount: number };
  'user.created': { id: string };
}
const OPTIONS = { url: 'https://example.com', project: 'p', key: 'k' };

test('a type takes its own data', () => {
  const { publish, publishMany } = createPublisher<Events>(OPTIONS);
  expectTypeOf(publish<'user.created'>)
    .parameter(0)
    .toExtend<PublishEvent<'user.created', { id: string }>>();
  void publish({ type: 'invoice.paid', data: { id: 'in_1', amount: 1 } });
  void publishMany([
    { type: 'invoice.paid', data: { id: 'in_1', amount: 1 } },
    { type: 'user.created', data: { id: 'u_1' } },
  ]);
  // @ts-expect-error the data of another type
  void publish({ type: 'invoice.paid', data: { id: 'in_1' } });
  // @ts-expect-error no such type
  void publish({ type: 'invoice.payed', data: { id: 'in_1', amount: 1 } });
  // @ts-expect-error the data of another type
  void publishMany([{ type: 'user.created', data: { amount: 1 } }]);
});

test('without a map of types, any type and any object', () => {
  const publisher = createPublisher(OPTIONS);
  expectTypeOf(publisher).toEqualTypeOf<Publisher>();
  void publisher.publish({ type: 'anything', data: { any: 'thing' } });
  // @ts-expect-error data is an object
  void publisher.publish({ type: 'anything', data: 'text' });
});

/** No source: anyone who knows the address of the channel can send. */
import { GENUINE, type Source } from './source.js';
import { typeInBody } from './topic.js';

export const none: Source = {
  name: 'none',
  needs: [],
  secretProblem: () => null,
  verify: () => GENUINE,
  deliveryId: () => null,
  challenge: () => null,
  topic: typeInBody,
  secretHeaders: () => [],
};

import { own } from './reading.js';
import type { Tree } from './tree.js';

export const typeEq: Tree = {
  name: 'type eq',
  limit: 2,
  match: { path: 'type', op: 'eq', value: 'charge.succeeded' },
  byHand: (event) => event.type === 'charge.succeeded',
  carefully: (event) => own(event, 'type') === 'charge.succeeded',
  mongo: { type: 'charge.succeeded' },
  jsonLogic: { '==': [{ var: 'type' }, 'charge.succeeded'] },
  cel: 'type == "charge.succeeded"',
  jsonata: 'type = "charge.succeeded"',
  zen: 'type == "charge.succeeded"',
  conditions: { all: [{ fact: 'type', operator: 'equal', value: 'charge.succeeded' }] },
};

import { at } from '../webhooks/leaves.js';
import { bodyOf, own } from './reading.js';
import type { Tree } from './tree.js';

export const bareEq: Tree = {
  name: 'bare eq',
  limit: 4.5,
  match: at('event').eq('push'),
  byHand: (event) => event?.data?.body?.event === 'push',
  carefully: (event) => own(bodyOf(event), 'event') === 'push',
  mongo: { 'data.body.event': 'push' },
  jsonLogic: { '==': [{ var: 'data.body.event' }, 'push'] },
  cel: 'data.body.event == "push"',
  jsonata: 'data.body.event = "push"',
  zen: 'data.body.event == "push"',
  conditions: { all: [{ fact: 'data', path: '$.body.event', operator: 'equal', value: 'push' }] },
};

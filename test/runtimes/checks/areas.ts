/** The checks that need no part of Node. */
import * as signing from 'headgate/signing/web';
import type { ChecksByArea } from './checks.js';
import { clientChecks } from './client.js';
import { deepTreeChecks } from './deep-trees.js';
import { dryRunChecks } from './dry-run.js';
import { publisherChecks } from './publisher.js';
import { receiverChecks } from './receiver.js';
import { ruleChecks } from './rules.js';
import { schedulerChecks } from './scheduler.js';
import { signingChecks } from './signing.js';
import { transformChecks } from './transforms.js';

export const everywhere: ChecksByArea = {
  'signing/web': signingChecks(signing),
  rules: ruleChecks,
  'deep trees': deepTreeChecks,
  transforms: transformChecks,
  'dry-run': dryRunChecks,
  scheduler: schedulerChecks,
  client: clientChecks,
  publisher: publisherChecks,
  receiver: receiverChecks,
};

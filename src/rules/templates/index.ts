/** Starter rules, to be edited before they are saved. */
import { deepFreeze } from '../../json.js';
import type { RuleDocument } from '../rule.js';
import { redactApiKeys } from './api-keys.js';
import { dropCodeHostingBots } from './bots.js';
import { tagMentionsOfEveryone } from './mentions.js';
import { dropTestModePayments } from './payments.js';

/** A starter rule and the name that a dashboard knows it by. */
export interface RuleTemplate {
  readonly key: string;
  readonly rule: RuleDocument;
}

/** The starter rules that a dashboard offers. @see docs/rules.md */
export const ruleTemplates: readonly RuleTemplate[] = deepFreeze([
  { key: 'drop_code_hosting_bots', rule: dropCodeHostingBots },
  { key: 'drop_test_mode_payments', rule: dropTestModePayments },
  { key: 'redact_api_keys', rule: redactApiKeys },
  { key: 'tag_mentions_of_everyone', rule: tagMentionsOfEveryone },
]);

/** Real payloads, and the rules that they meet. */
import { gitHubPayloads, slackPayload, stripePayload } from '../../examples/quickstart/payloads.js';
import { ruleTemplates, type Action, type Event, type Match, type Rule } from '../../src/index.js';
import type { Contender } from './contenders.js';
import { fieldPatterns, redactions, textPatterns } from './real-patterns.js';

/** Rules, and events that they meet. */
export interface Workload {
  readonly name: string;
  /** Which tiers have a part in it. */
  readonly of: 'tests' | 'redacts' | 'both';
  readonly events: readonly Event[];
  /** Makes what an event is given to; its answer, which is the same for every contender. */
  readonly compile: (contender: Contender) => (event: Event) => unknown;
}

const event = (body: unknown, nth: number): Event => ({
  id: `evt_${String(nth)}`,
  type: 'webhook.received',
  data: { body },
});

interface Body {
  readonly [key: string]: unknown;
}

const textIn = (value: unknown, key: string): string | null => {
  const text = (value as Body | null | undefined)?.[key];
  return typeof text === 'string' && text !== '' ? text : null;
};

/** The texts that people wrote, of issues, comments, pull requests, releases and commits. */
const texts: readonly string[] = gitHubPayloads.flatMap(({ body }) =>
  ['issue', 'comment', 'pull_request', 'release', 'review', 'discussion', 'head_commit']
    .flatMap((part) => ['title', 'body', 'message'].map((key) => textIn((body as Body)[part], key)))
    .filter((text) => text !== null),
);

/** One in so many payloads of GitHub. */
const SHARE = 3;

const gitHub = gitHubPayloads.filter((_, nth) => nth % SHARE === 0).map(({ body }, nth) => event(body, nth));
const slack = texts.slice(0, 30).map((text, nth) => event(slackPayload(nth, text), nth));
const stripe = Array.from({ length: 30 }, (_, nth) =>
  event(stripePayload(nth, nth % 2 === 0, 100 + nth), nth),
);
const all = [...gitHub, ...slack, ...stripe];
const messages = texts.map((text, nth) => event({ text }, nth));

const ruleOf = (id: string, match: Match, action: Action): Rule => ({
  ...{ id, name: id, stage: 'deliver', priority: 0 },
  match,
  action,
});

const tagged = (path: string, value: string, nth: number): Rule =>
  ruleOf(
    `${path} ${nth}`,
    { path: `data.body.${path}`, op: 'matches', value },
    { type: 'tag', tags: [`t${nth}`] },
  );

const fieldRules = fieldPatterns
  .flatMap(([path, ...patterns]) => patterns.map((pattern) => [path, pattern] as const))
  .map(([path, pattern], nth) => tagged(path, pattern, nth));
const textRules = textPatterns.map((pattern, nth) => tagged('text', pattern, nth));
const redact = (ops: readonly (readonly [string, string])[]): Rule[] => [
  ruleOf(
    '1',
    { path: 'data.body', op: 'exists' },
    {
      type: 'transform',
      ops: ops.map(([regex, replace]) => ({ op: 'redact', path: 'data.body', regex, replace, deep: true })),
    },
  ),
];
const templates = ruleTemplates.map(({ rule }, nth): Rule => ({ ...rule, id: String(nth) }));

const ruleSet = (
  name: string,
  rules: readonly Rule[],
  events: readonly Event[],
  of: Workload['of'] = 'tests',
): Workload => ({
  name,
  of,
  events,
  compile({ compileRules }) {
    const set = compileRules(rules);
    return (event) => set.evaluate(event);
  },
});

/** Each rule alone, by `compileMatch`. */
const alone = (name: string, rules: readonly Rule[], events: readonly Event[]): Workload => ({
  name,
  of: 'tests',
  events,
  compile({ compileMatch }) {
    const matches = rules.map(({ match }) => compileMatch(match));
    return (event) => matches.map((holds) => holds(event));
  },
});

const fresh = (name: string, rules: readonly Rule[], first: Event): Workload => ({
  name,
  of: 'both',
  events: [first],
  compile:
    ({ compileRules }) =>
    (event) =>
      compileRules(rules).evaluate(event),
});

export const workloads: readonly Workload[] = [
  alone('fields, each rule alone', fieldRules, all),
  alone('texts, each rule alone', textRules, messages),
  ruleSet('fields, one rule set', fieldRules, all),
  ruleSet('texts, one rule set', textRules, messages),
  ruleSet('the templates', templates, all, 'both'),
  ruleSet('redacts of personal data', redact(redactions), all, 'redacts'),
  fresh('compiling, first event', [...fieldRules, ...textRules], all[40] as Event),
];

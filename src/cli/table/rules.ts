/** Commands on a file of rules. */
import { asBody, events, eventsOrStdin, json, rulesFile } from './common.js';
import type { Spec } from './spec.js';

const WHAT_A_FILE_HOLDS =
  'A file of rules holds what an import takes: one rule object, or an array of them. Rules without an id that have the same priority run in the order of the file.';

export const checkSpec = {
  name: 'rules check',
  summary: 'Check a file of rules',
  details: [
    'Reports every problem of every rule with its line and column, so that CI can check a file of rules.',
    WHAT_A_FILE_HOLDS,
  ],
  args: { FILE: rulesFile },
  options: {
    plan: {
      type: 'text',
      value: 'PLAN',
      choices: ['hobby', 'hacker', 'pro', 'scale'],
      default: 'scale',
      description: 'The plan whose rule limit applies: hobby 1, hacker 5, pro 25, scale none.',
    },
    json,
  },
  examples: [
    { shows: 'Check a file, in CI for example', command: 'headgate rules check rules.json' },
    { shows: 'Check that the rules fit a plan', command: 'headgate rules check rules.json --plan pro' },
    {
      shows: 'Read standard input, and print only the positions',
      command: `curl -s https://example.com/rules.json | headgate rules check - --json | jq -r '"\\(.line):\\(.column)"'`,
    },
  ],
} as const satisfies Spec;

export const lintSpec = {
  name: 'rules lint',
  summary: 'Find probable mistakes in valid rules',
  details: [
    'Does what `headgate rules check` does, and also warns about rules that can never match, that never apply because a drop runs first, that drop every event, or that are tried on every event; about paths and patterns in the notation of other languages; and about keys that occur twice in one object.',
  ],
  args: { FILE: rulesFile },
  options: { json },
  examples: [
    { shows: 'Lint a file', command: 'headgate rules lint rules.json' },
    {
      shows: 'Count the warnings by code',
      command: 'headgate rules lint rules.json --json | jq -r .code | sort | uniq -c',
    },
  ],
} as const satisfies Spec;

export const importSpec = {
  name: 'rules import',
  summary: 'Convert conditions of other systems to rules',
  details: [
    'Reads conditions of json-rules-engine, JsonLogic, MongoDB-style queries, filters of Hookdeck or Outpost, or queries of react-querybuilder, and prints rules. A condition that cannot be expressed with the same answers is skipped and reported, never converted in part; docs/rules-from-elsewhere.md says what is converted.',
    'A file has one condition or an array of them. The exit code is 1 if one is skipped.',
  ],
  args: { FILE: { description: 'a file with conditions, as JSON, or - for standard input' } },
  options: {
    from: {
      type: 'text',
      value: 'FORMAT',
      choices: ['json-rules-engine', 'json-logic', 'mongodb', 'hookdeck', 'outpost', 'react-querybuilder'],
      description: 'The system that the conditions are written for. Required.',
    },
    as: {
      type: 'text',
      value: 'JSON',
      description: 'Members of every rule that its condition does not have itself, such as its action.',
    },
    at: {
      type: 'text',
      value: 'PATH',
      description:
        'The path of the object that the conditions are about, such as data.body. Default: the event.',
    },
    assume: {
      type: 'text',
      value: 'WHAT',
      many: true,
      choices: ['kinds', 'objects'],
      description:
        'What is true of all your events, so that more is converted; may be given twice. kinds: each value is of the kind that it is compared with, or null, or absent. objects: what is read by name is read from objects.',
    },
  },
  examples: [
    {
      shows: 'Convert filters of Hookdeck, which are about the body of a webhook',
      command: `headgate rules import filters.json --from hookdeck --at data.body --as '{"action":{"type":"drop"}}' > rules.json`,
    },
    {
      shows: 'Convert conditions that compare numbers with numbers alone',
      command: `headgate rules import conditions.json --from json-logic --assume kinds --as '{"action":{"type":"drop"}}'`,
    },
  ],
} as const satisfies Spec;

export const diffSpec = {
  name: 'rules diff',
  summary: 'Find an event that two versions of the rules decide differently',
  details: [
    'Compares the rules of BEFORE and AFTER over all possible events. Prints an event that they decide differently, as small as possible, with both decisions and the leaf that makes the difference; or reports that no such event exists, which is a proof. It compares the outcome, the tags, the endpoints and the data, whichever rules caused them.',
    'The exit code is 0 if every event is decided alike, 1 if one is not or if a file has problems, and 2 if neither can be shown.',
  ],
  args: {
    BEFORE: { description: `${rulesFile.description}: the rules before the change` },
    AFTER: { description: 'the same, after the change' },
  },
  options: { json },
  examples: [
    { shows: 'Compare two files', command: 'headgate rules diff before.json after.json' },
    {
      shows: 'Compare a file with its version on the main branch',
      command: 'git show main:rules.json | headgate rules diff - rules.json',
    },
  ],
} as const satisfies Spec;

export const explainSpec = {
  name: 'rules explain',
  summary: 'Explain why rules match events, leaf by leaf',
  details: [
    'With EVENTS, prints for each event and each rule whether it matches, and the result of each of its leaves with the value that the event has there. Leaves are tried in the order of the rule, and only as far as they decide it.',
    'Without EVENTS, prints how the index finds each rule: the leaves by which it looks for it.',
  ],
  args: { FILE: rulesFile, EVENTS: { optional: true, ...events } },
  options: {
    rule: {
      type: 'text',
      value: 'RULE',
      description: 'Explain only this rule: its id, its name, or its number in the file, from 1.',
    },
    body: asBody,
    json,
  },
  examples: [
    { shows: 'Explain all rules on an event', command: 'headgate rules explain rules.json event.json' },
    {
      shows: 'Explain one rule on the last event of a log',
      command: 'tail -n 1 events.ndjson | headgate rules explain rules.json - --rule "Drop pings"',
    },
    { shows: 'See how each rule is found', command: 'headgate rules explain rules.json' },
  ],
} as const satisfies Spec;

export const trySpec = {
  name: 'rules try',
  summary: 'Apply rules to events, and print the decisions',
  details: [
    'Prints the decision about each event as soon as it is read: whether it is delivered or dropped and by which rule, the rules that match, the tags, the endpoints, and the paths of `data` that change. It uses little memory, however many events there are.',
    'The exit code is 1 if the rules have problems, or if something in EVENTS is not an event.',
  ],
  args: { FILE: rulesFile, EVENTS: eventsOrStdin },
  options: { body: asBody, json },
  examples: [
    { shows: 'Decide the events in a file', command: 'headgate rules try rules.json events.ndjson' },
    {
      shows: 'Decide a webhook, given its body',
      command: 'headgate rules try rules.json pull-request.json --body',
    },
    {
      shows: 'Decide events as they arrive, and keep the dropped ones',
      command: `tail -f events.ndjson | headgate rules try rules.json --json | jq -c 'select(.outcome == "drop")'`,
    },
  ],
} as const satisfies Spec;

export const dryRunSpec = {
  name: 'rules dry-run',
  summary: 'Measure a rule on past events',
  details: [
    'Counts the events in a window of time that one rule matches, and shows up to 50 of them with the effect that the rule would have had. The window ends now, or at --now; the `received_at` of an event decides whether it is in the window.',
  ],
  args: { FILE: rulesFile, EVENTS: eventsOrStdin },
  options: {
    rule: {
      type: 'text',
      value: 'RULE',
      description:
        'The rule to try: its id, its name, or its number in the file, from 1. Required if the file has several.',
    },
    hours: {
      type: 'count',
      value: 'HOURS',
      min: 1,
      max: 168,
      default: 168,
      description: 'The length of the window, in hours; at most 7 days.',
    },
    now: {
      type: 'instant',
      value: 'TIME',
      description: 'The end of the window, in ISO 8601 or Unix seconds. Default: now.',
    },
    body: asBody,
    json,
  },
  examples: [
    {
      shows: 'Try a new rule on the events of the last day',
      command: 'headgate rules dry-run rule.json events.ndjson --hours 24',
    },
    {
      shows: 'Try one rule of several on an old log',
      command: 'headgate rules dry-run rules.json old.ndjson --rule "Drop pings" --now 2026-01-31T00:00:00Z',
    },
  ],
} as const satisfies Spec;

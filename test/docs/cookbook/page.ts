/** Writes docs/cookbook.md. */
import { compileMatch } from '../../../src/index.js';
import { eventOf, gitHubPayloads, nameOf } from './payloads.js';
import { chapters, type Change, type Outcome, type Recipe, recipes } from './recipes.js';

const WIDTH = 110;

/** JSON on one line where it fits, else a line for each member. */
function printed(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const [open, close, blank] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' '];
  const members = (at: string): string[] =>
    Object.entries(value).map(([key, one]) =>
      Array.isArray(value) ? printed(one, at) : `${JSON.stringify(key)}: ${printed(one, at)}`,
    );
  const flat = `${open}${blank}${members(indent).join(', ')}${blank}${close}`;
  if (indent.length + flat.length <= WIDTH && !flat.includes('\n')) return flat;
  return `${open}\n${deeper}${members(deeper).join(`,\n${deeper}`)}\n${indent}${close}`;
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const changed = ([path, before, after]: Change): string =>
  `\`${path}\` from ${code(JSON.stringify(before))} to ${code(JSON.stringify(after))}`;

function told(outcome: Outcome): string {
  if ('dropped' in outcome) return 'dropped';
  if ('tags' in outcome) return `tagged ${outcome.tags.map(code).join(', ')}`;
  if ('endpoints' in outcome) return `sent to ${outcome.endpoints.map(code).join(', ')} alone`;
  return outcome.changes.map(changed).join('; ');
}

/** How many of GitHub's payloads a rule matches. */
function matchedOf({ rule }: Recipe): number {
  const matches = compileMatch(rule.match);
  return gitHubPayloads.filter((payload) => matches(eventOf(payload))).length;
}

/** A rule as it is pasted, under its name and its description. */
function section(recipe: Recipe): string {
  const { rule, on, gives, not } = recipe;
  const facts = [
    `- ${nameOf(on)}: ${told(gives)}`,
    `- ${nameOf(not)}: left as it is`,
    ...(on[0] === 'GitHub'
      ? [`- matches ${matchedOf(recipe)} of all ${gitHubPayloads.length} payloads of GitHub`]
      : []),
  ];
  const json = `\`\`\`json\n${printed(rule)}\n\`\`\``;
  return [`### ${rule.name}`, rule.description, json, facts.join('\n')].join('\n\n');
}

const anchor = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-');

const listed = (chapter: string): string =>
  `- [${chapter}](#${anchor(chapter)}): ${chapters[chapter]?.map(({ rule: { name } }) => `[${name}](#${anchor(name)})`).join(', ')}`;

/** The whole page. */
export const page = (): string =>
  `${[
    '# Cookbook',
    `${recipes.length} rules to start from. Paste one into the dashboard or into an import, and change its paths, values and endpoint ids. Each was tried on
payloads that the providers publish: GitHub’s examples of its webhooks (\`@octokit/webhooks-examples\`), and the objects of Stripe’s
\`fixtures3.json\`, in the event from that file. Below each rule is what it does to one that it matches, one that it leaves alone, and how
many of GitHub’s payloads it matches. A test tries all of this and writes this page: \`npx vitest --project unit cookbook -u\`.`,
    `The body of a webhook is \`data.body\`. [rules.md](rules.md) defines the language; before a rule of yours goes into service,
[try it on your own history](guides.md#try-a-rule-on-your-own-history).`,
    Object.keys(chapters).map(listed).join('\n'),
    ...Object.entries(chapters).map(([chapter, of]) => [`## ${chapter}`, ...of.map(section)].join('\n\n')),
  ].join('\n\n')}\n`;

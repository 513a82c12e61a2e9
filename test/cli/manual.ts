/** docs/cli.md, made from the table of commands. */
import { describeArgument, describeOption, exitCodes, optionName, usageOf } from '../../src/cli/help.js';
import type { Spec } from '../../src/cli/table/spec.js';

/** The page, as Markdown. */
export const manual = (specs: readonly Spec[]): string =>
  `${[INTRODUCTION, exits(), contents(specs), ...specs.map(section)].join('\n\n')}\n`;

const INTRODUCTION = `# The command

\`npx headgate\` checks and tries rules, signs and verifies deliveries, receives and sends them on your machine, and looks after
stores. \`headgate COMMAND --help\` tells in a terminal what this page tells: both are made from one table.

- Data goes to standard output, and words to standard error. With \`--json\`, data is JSON, one object per line.
- A file may be \`-\`, which is standard input. Events are read one at a time, so there may be any number of them.
- Colors show on a terminal alone, and not where \`NO_COLOR\` is set. Control characters in data are printed as \`\\u001b\`.
- A secret comes from \`HEADGATE_SECRET\`, \`--secret-file\` or \`--secret\`, and is never printed.
- \`HEADGATE_DEBUG=1\` prints where in the code an error came from.`;

const exits = (): string =>
  [
    '| exit code | meaning |',
    '| --- | --- |',
    ...exitCodes.map(([code, meaning]) => `| ${code} | ${meaning} |`),
  ].join('\n');

const contents = (specs: readonly Spec[]): string =>
  [
    '| command | |',
    '| --- | --- |',
    ...specs.map(({ name, summary }) => `| [\`${name}\`](#${anchor(name)}) | ${summary} |`),
  ].join('\n');

const anchor = (name: string): string => `headgate-${name.replaceAll(' ', '-')}`;

function section(spec: Spec): string {
  const { name, summary, details, args, options, examples } = spec;
  return [
    `## headgate ${name}`,
    `${summary}.`,
    fenced('text', [usageOf(spec)]),
    ...details.map(escaped),
    ...table(
      'argument',
      Object.entries(args).map(([arg, given]) => [arg, describeArgument(given)]),
    ),
    ...table(
      'option',
      Object.entries(options).map(([option, given]) => [optionName(option, given), describeOption(given)]),
    ),
    fenced(
      'sh',
      examples.flatMap(({ shows, command }, nth) => [...(nth === 0 ? [] : ['']), `# ${shows}`, command]),
    ),
  ].join('\n\n');
}

const fenced = (language: string, lines: readonly string[]): string =>
  [`\`\`\`${language}`, ...lines, '```'].join('\n');

const table = (term: string, rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : [
        [
          `| ${term} | |`,
          '| --- | --- |',
          ...rows.map(([name = '', text = '']) => `| \`${name}\` | ${escaped(text)} |`),
        ].join('\n'),
      ];

const escaped = (text: string): string => text.replaceAll('|', '\\|');

/** Help, as lines of a terminal. */
import { type Part, styled } from './output/printer.js';
import type { Argument, Option, Spec } from './table/spec.js';

type Line = readonly Part[];

const WIDTH = 80;

/** All commands, one a line. */
export function overview(specs: readonly Spec[]): readonly Line[] {
  return [
    ['Webhooks: rules, signatures, delivery'],
    [],
    [styled('bold', 'Usage'), ': headgate COMMAND [options]'],
    [],
    ...listOf(specs),
    [],
    ...wrapped('Run headgate COMMAND --help for details and examples.'),
    ...wrapped('headgate --version (-v) prints the version.'),
    [],
    [styled('bold', 'Exit codes')],
    ...pairs(exitCodes.map(([code, meaning]) => [String(code), meaning])),
  ];
}

/** The commands of a group, such as `rules`. */
export const groupHelp = (group: string, specs: readonly Spec[]): readonly Line[] => [
  [styled('bold', 'Usage'), `: headgate ${group} COMMAND [options]`],
  [],
  ...listOf(specs),
  [],
  ...wrapped(`headgate ${group} COMMAND --help shows details and examples of each.`),
];

export function commandHelp(spec: Spec): readonly Line[] {
  const { summary, details, args, examples } = spec;
  return [
    [summary],
    [],
    [styled('bold', 'Usage'), `: ${usageOf(spec)}`],
    ...details.flatMap((paragraph) => [[], ...wrapped(paragraph)]),
    ...section('Arguments', pairs(Object.entries(args).map(([name, arg]) => [name, describeArgument(arg)]))),
    ...section('Options', pairs([...optionRows(spec), ['-h, --help', 'Show this.']])),
    ...section(
      'Examples',
      examples.flatMap(({ shows, command }, nth) => [
        ...(nth === 0 ? [] : [[]]),
        [styled('dim', `  # ${shows}`)],
        [`  ${command}`],
      ]),
    ),
  ];
}

/** The meaning of each exit code, in the words of help and manual. */
export const exitCodes = [
  [0, 'done, and nothing is wrong'],
  [
    1,
    'findings: rules have problems, a delivery is not genuine, or it was not accepted; or the output cannot be written',
  ],
  [2, 'the command line is wrong, or a file or a database cannot be used'],
] as const;

/** `headgate rules try FILE [EVENTS] [options]` */
export function usageOf({ name, args, options }: Spec): string {
  const names = Object.entries(args).map(([arg, { optional }]) => (optional === true ? `[${arg}]` : arg));
  const hasOptions = Object.keys(options).length > 0;
  return ['headgate', name, ...names, ...(hasOptions ? ['[options]'] : [])].join(' ');
}

/** The description of an option, with its choices and its default. */
export function describeOption(option: Option): string {
  const notes = [
    'choices' in option ? `One of ${option.choices.join(', ')}.` : '',
    'default' in option ? `Default: ${option.default}.` : '',
  ].filter((note) => note !== '');
  return [option.description, ...notes].join(' ');
}

export const describeArgument = ({ description }: Argument): string =>
  `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;

export const optionName = (name: string, option: Option): string =>
  option.type === 'flag' ? `--${name}` : `--${name} ${option.value}`;

const optionRows = ({ options }: Spec): [string, string][] =>
  Object.entries(options).map(([name, option]) => [optionName(name, option), describeOption(option)]);

const listOf = (specs: readonly Spec[]): Line[] => pairs(specs.map(({ name, summary }) => [name, summary]));

const section = (title: string, lines: readonly Line[]): Line[] =>
  lines.length === 0 ? [] : [[], [styled('bold', title)], ...lines];

/** Terms with their descriptions beside them. */
function pairs(rows: readonly (readonly [term: string, text: string])[]): Line[] {
  const width = Math.max(...rows.map(([term]) => term.length)) + 4;
  return rows.flatMap(([term, text]) =>
    wrap(text, WIDTH - width).map((line, nth) => [
      nth === 0 ? styled('cyan', `  ${term}`) : '',
      ' '.repeat(nth === 0 ? width - term.length - 2 : width),
      line,
    ]),
  );
}

const wrapped = (text: string): Line[] => wrap(text, WIDTH).map((line) => [line]);

/** Breaks a text at its blanks. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A problem of a file of rules, and how it is printed: as compilers do, so that editors find the position. */
import type { Context } from '../context.js';
import { type Part, styled } from '../output/printer.js';
import { cut } from '../output/text.js';
import type { LineAndColumn } from '../../slim/index.js';

/** One problem, and its position. */
export interface Finding extends LineAndColumn {
  readonly file: string;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** Number of the rule in the file, from 1; null for the file as a whole. */
  readonly rule: number | null;
  readonly name?: string;
  /** RFC 6901, from the rule. */
  readonly pointer: string;
  readonly message: string;
  /** Other positions that belong to it. */
  readonly related: readonly RelatedPosition[];
}

export interface RelatedPosition extends LineAndColumn {
  readonly rule: number;
  readonly pointer: string;
}

/** UTF-16 units of a name in a line for people. */
const SHOWN = 40;

/** Prints findings on standard output. */
export async function printFindings(
  { out }: Context,
  findings: readonly Finding[],
  asJson: boolean,
): Promise<void> {
  for (const finding of findings) {
    if (asJson) await out.json(finding);
    else for (const line of linesOf(finding)) await out.line(...line);
  }
}

function linesOf({ file, line, column, severity, message, code, rule, name, related }: Finding): Part[][] {
  const which =
    rule === null ? '' : ` rule ${rule}${name === undefined ? '' : ` ${JSON.stringify(cut(name, SHOWN))}`}`;
  const style = severity === 'error' ? 'red' : 'yellow';
  return [
    [
      styled('bold', `${file}:${line}:${column}: `),
      styled(style, severity),
      `:${which === '' ? '' : `${which}:`} ${message} `,
      styled('dim', `[${code}]`),
    ],
    ...related.map((position) => [
      styled('dim', `${file}:${position.line}:${position.column}: `),
      `and rule ${position.rule}`,
    ]),
  ];
}

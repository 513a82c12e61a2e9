/** `headgate rules import` */
import {
  exportRules,
  importRules,
  type ImportIssue,
  type ImportOptions,
  stringifyJson,
} from '../../index.js';
import { type Context, UsageError } from '../context.js';
import { bytesOf, nameOf } from '../input/read.js';
import { plural } from '../output/text.js';
import { styled } from '../output/printer.js';
import { MAX_BYTES } from '../rules/file.js';
import { type Finding, printFindings } from '../rules/finding.js';
import { parseFile, type Parsed } from '../rules/parsed.js';
import { positionsOf } from '../rules/positions.js';
import type { Run } from '../table/command.js';
import type { importSpec } from '../table/rules.js';

export const run: Run<typeof importSpec> = async ({ args, options }, context) => {
  const { from, at, as, assume } = options;
  if (from === undefined) {
    throw new UsageError('give --from FORMAT; headgate rules import --help lists the formats');
  }
  const bytes = await bytesOf(args.FILE, context, MAX_BYTES);
  const { rules, summary } = importRules(bytes, {
    from,
    ...(at !== undefined && { at }),
    ...(as !== undefined && { as: membersIn(as) }),
    assume: assume as NonNullable<ImportOptions['assume']>,
    newId: ascendingIds(),
  });
  const name = nameOf(args.FILE);
  const findings = findingsOf(name, parseFile(bytes), summary.errors);
  await printFindings({ ...context, out: context.say }, findings, false);
  await printRules(rules, context);
  const isFine = summary.skipped === 0 && findings.length === 0;
  const words = `${plural(summary.imported, 'rule')} imported, ${summary.skipped} skipped`;
  await context.say.line(styled(isFine ? 'green' : 'red', `${name}: ${words}`));
  return isFine ? 0 : 1;
};

/** One rule a line, in one array. */
async function printRules(rules: Parameters<typeof exportRules>[0], { out }: Context): Promise<void> {
  const documents = exportRules(rules);
  if (documents.length === 0) return out.line('[]');
  await out.line('[');
  for (const [index, document] of documents.entries()) {
    await out.line(`  ${stringifyJson(document)}${index + 1 < documents.length ? ',' : ''}`);
  }
  await out.line(']');
}

/** Ids that ascend by code points; they are not printed. */
function ascendingIds(): () => string {
  let count = 0;
  return () => String(++count).padStart(7, '0');
}

function membersIn(text: string): NonNullable<ImportOptions['as']> {
  try {
    return JSON.parse(text) as NonNullable<ImportOptions['as']>;
  } catch {
    throw new UsageError('--as must be JSON, such as {"action":{"type":"drop"}}');
  }
}

/** The problems with their positions. */
function findingsOf(
  file: string,
  { text, isList, fault }: Parsed,
  issues: readonly ImportIssue[],
): readonly Finding[] {
  const requests = issues.map(({ index, pointer }) => ({
    pointer: index === null || !isList ? pointer : `/${index}${pointer}`,
    ofName: false,
  }));
  const positions = text === '' || issues.length === 0 ? [] : positionsOf(text, requests);
  return issues.map(({ index, code, name, pointer, message }, nth) => ({
    file,
    ...(positions[nth] ?? { line: 1, column: 1 }),
    severity: 'error',
    code,
    rule: index === null ? null : index + 1,
    ...(name !== undefined && { name }),
    pointer,
    message,
    related: [],
    ...(code === 'invalid_json' && fault),
  }));
}

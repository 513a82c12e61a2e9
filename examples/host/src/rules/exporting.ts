/** Exports the rules of a project as a file that another project can import. */
import { setImmediate as turn } from 'node:timers/promises';
import { exportRules, type Rule, stringifyJson } from 'headgate';

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-disposition': 'attachment; filename="rules.json"',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** A rule a line, so that two exports can be compared. Large documents leave the event loop its turns. */
export async function exportedFile(rules: readonly Rule[]): Promise<Response> {
  const lines: string[] = [];
  for (const rule of rules) {
    lines.push(...exportRules([rule]).map(stringifyJson));
    if (lines.length % 50 === 0) await turn();
  }
  return new Response(`[\n${lines.join(',\n')}\n]\n`, { headers: HEADERS });
}

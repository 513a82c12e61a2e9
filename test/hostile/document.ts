/** The table of docs/security.md, out of the hostile one. */
import type { AttemptOutcome } from '../../src/delivery/transport.js';
import { hostileReceivers } from './table.js';

/** Its rows: what a receiver does, the code, the detail. */
export function documentRows(): readonly string[] {
  const rows = hostileReceivers.map(({ does, recorded }) => {
    const cells = [does, recorded.map(code).join(', then '), recorded.map(detail).at(-1)];
    return `| ${cells.join(' | ')} |`;
  });
  return [...new Set(rows)];
}

const code = (outcome: AttemptOutcome): string => (outcome.ok ? 'delivered' : `\`${outcome.failure}\``);

const detail = (outcome: AttemptOutcome): string =>
  outcome.ok ? '—' : outcome.detail.replace(/^\w+\.test/, '*host*').replace(String(outcome.status), '*N*');

/**
 * Measures the sockets, file descriptors and memory that hostile receivers leave behind.
 *
 *     npx tsx bench/hostile.ts [attempts]
 *
 * 10,000 attempts at receivers of every kind in test/hostile/table.ts, 300 at a time, on real sockets, through one
 * scheduler and one transport that stay open. The receivers are a process of their own. Both rows are taken at rest,
 * after full collections; the first one follows a warm-up.
 */
import { endure } from '../test/hostile/endurance.js';
import type { Footprint } from '../test/hostile/footprint.js';
import { readBenchLine } from './running/command-line.js';

const { positionals, smoke } = readBenchLine({ allowPositionals: true });

const { attempts, seconds, outcomes, before, after, bytesPerAttempt } = await endure(
  Number(positionals[0] ?? (smoke ? 100 : 10_000)),
);

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
const row = ({ handles, descriptors, retainedBytes, rssBytes }: Footprint): Record<string, unknown> => ({
  sockets: Object.entries(handles)
    .filter(([kind]) => /^(TCP|TLS)/.test(kind))
    .reduce((sum, [, count]) => sum + count, 0),
  descriptors,
  'heap MB': megabytes(retainedBytes),
  'rss MB': megabytes(rssBytes),
});

console.log(
  `${attempts} attempts in ${seconds.toFixed(1)} s, ${bytesPerAttempt.toFixed(0)} bytes retained for each`,
);
console.table({ before: row(before), after: row(after) });
console.table(Object.fromEntries([...outcomes].sort(([, a], [, b]) => b - a)));

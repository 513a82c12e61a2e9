/** The tests that docs/testing.md shows run under their runners, and the programs of the guides as processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Block, readBlocks } from './blocks.js';

const blocks = readBlocks();
const runBy = (runner: string): readonly Block[] =>
  blocks.filter(({ notRun }) => notRun === `run by ${runner}`);

// Their tests are tests of this file. `@jest/globals` means vitest here, since both have `test` and `expect`.
for (const { document, line, path } of [...runBy('vitest'), ...runBy('jest')]) {
  describe(`${document}:${line}`, async () => {
    await import(path);
  });
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a block in a process of its own, in which `headgate` means the sources.
 *
 * @param flags - Flags of node.
 * @param onOutput - Gets the output so far.
 */
async function run(
  { code }: Block,
  flags: readonly string[],
  onOutput: (output: string, kill: (signal: NodeJS.Signals) => void) => void = () => undefined,
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-runner-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'example.mts');
  writeFileSync(file, code);
  // It would tell node:test that it runs inside a test.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, TSX_TSCONFIG_PATH: resolve('tsconfig.json') };
  const child = spawn(process.execPath, ['--import', 'tsx', ...flags, file], { env });
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    onOutput(output, (signal) => child.kill(signal));
  });
  const [[exit], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  return { code: exit as number | null, output: output + errors };
}

test.for(runBy('node:test'))('node:test runs $document:$line, and every test passes', async (block) => {
  const { code, output } = await run(block, ['--test']);
  expect(output).toMatch(/^(?:#|ℹ) fail 0$/m);
  expect(output).toMatch(/^(?:#|ℹ) pass [1-9]\d*$/m);
  expect(code).toBe(0);
});

test.for(runBy('a process that gets SIGTERM'))(
  '$document:$line ends by SIGTERM, and prints what it says',
  async (block) => {
    const { code, output } = await run(block, [], (sofar, kill) => {
      if (sofar.trimEnd().split('\n').length === 1) kill('SIGTERM');
    });
    expect(output.trimEnd().split('\n')).toEqual(block.printed);
    expect(code).toBe(0);
  },
);

test('each runner has its examples', () => {
  const counts = ['vitest', 'jest', 'node:test', 'a process that gets SIGTERM'].map(
    (one) => runBy(one).length,
  );
  expect(counts).toEqual([2, 2, 2, 1]);
});

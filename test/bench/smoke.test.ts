/** The shortest form of the benches fails where a bench does. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { benchesIn, faultOf, smoke, SMOKE_NOTE } from '../../bench/running/smoke.js';

describe('the shortest form of the benches', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'headgate-smoke-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const plant = (name: string, source: string): string => {
    const script = join(folder, `${name}.ts`);
    writeFileSync(script, source);
    return script;
  };

  test('runs every file of bench/ but those that are no benches', () => {
    const bench = new URL('../../bench/', import.meta.url);
    const files = readdirSync(bench).filter((file) => file.endsWith('.ts'));
    expect(benchesIn(bench, ['questions', 'smoke'])).toHaveLength(files.length - 2);
  });

  test('a new file is a bench, and fails until it has a shortest form', { timeout: 60_000 }, async () => {
    const script = plant('forgotten', 'console.log("12 ms");');
    expect(benchesIn(pathToFileURL(`${folder}/`), [])).toEqual(['forgotten']);
    expect(faultOf(await smoke(script))).toContain('it must read --smoke');
  });

  test.for([
    { name: 'throws', source: 'console.log(NOTE, 12); throw new Error("wrong");', fault: 'exit code 1' },
    { name: 'ends with 2', source: 'console.log(NOTE, 12); process.exit(2);', fault: 'exit code 2' },
    { name: 'prints no figure', source: 'console.log(NOTE);', fault: 'it prints no figure' },
    { name: 'prints no number', source: 'console.log(NOTE, 12, NaN);', fault: 'a figure is no number' },
    { name: 'is as it should be', source: 'console.log(NOTE, "12.5 µs");', fault: null },
  ])('a bench that $name: $fault', { timeout: 60_000 }, async ({ source, fault }) => {
    const script = plant('bench', `const NOTE = ${JSON.stringify(SMOKE_NOTE)};\n${source}`);
    expect(faultOf(await smoke(script))).toBe(fault);
  });
});

/** Every command line of `headgate` that a document shows in a `sh` block is one that the command takes. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readLine } from '../../src/cli/line/read.js';
import { commands } from '../../src/cli/table/index.js';
import { documents } from './documents.js';

/** A command line, and the document that contains it. */
interface Shown {
  readonly document: string;
  readonly line: string;
}

/** Lines of `sh` blocks that begin with the command, after variables and `npx`. */
function commandLinesOf(document: string, text: string): readonly Shown[] {
  const blocks = Array.from(text.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, block = '']) => block);
  return blocks
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
    .filter((line) => /^(?:\w+=\S* )*(?:npx )?headgate(?![\w-])/.test(line))
    .map((line) => ({ document, line }));
}

/** The words after `headgate`, without quotes, up to a pipe, a redirection, another command or a comment. */
function wordsOf(line: string): readonly string[] {
  const [, rest = ''] = /\bheadgate\b(.*)$/.exec(line) ?? [];
  const words = rest.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const end = words.findIndex((word) => /^(?:[|>&;#]|2>)/.test(word));
  return words.slice(0, end === -1 ? words.length : end).map((word) => word.replaceAll(/['"]/g, ''));
}

/** Throws for a line that the command would refuse. */
function read(line: string): void {
  const words = wordsOf(line);
  if (words.every((word) => ['--help', '--version'].includes(word))) return;
  const command = commands.find(({ spec }) =>
    spec.name.split(' ').every((word, index) => words[index] === word),
  );
  if (command === undefined) throw new Error(`no command ${words.join(' ')}`);
  readLine(command.spec, words.slice(command.spec.name.split(' ').length));
}

const shown = documents.flatMap((document) => commandLinesOf(document, readFileSync(document, 'utf8')));

describe('command lines of headgate in the documents', () => {
  test('there are some', () => {
    expect(shown.length).toBeGreaterThan(4);
  });

  test.for(shown)('$document: $line', ({ line }) => {
    expect(() => read(line)).not.toThrow();
  });

  test.for([
    'headgate rules chek rules.json',
    'npx headgate listen --prot 3000',
    'HEADGATE_SECRET=a headgate send',
    'headgate rules check a.json b.json | head',
  ])('%s is refused', (line) => {
    expect(commandLinesOf('a.md', `\`\`\`sh\n${line}\n\`\`\``)).toHaveLength(1);
    expect(() => read(line)).toThrow();
  });
});

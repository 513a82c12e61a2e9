/** Command lines: what is wrong on them, and what help says. */
import { describe, expect, test } from 'vitest';
import { readLine } from '../../src/cli/line/read.js';
import { nearest } from '../../src/cli/line/nearest.js';
import { commands } from '../../src/cli/table/index.js';
import { manual } from './manual.js';
import { headgate } from './session.js';

const specs = commands.map(({ spec }) => spec);

describe('a command line that cannot be meant ends with 2 and says why', () => {
  test.for([
    { line: 'ruels', says: 'unknown command "ruels". Did you mean rules?' },
    { line: 'xyzzy', says: 'unknown command "xyzzy". headgate --help' },
    { line: 'rules', says: 'give a command of check, lint, import, diff, explain, try, dry-run' },
    { line: 'rules chekc', says: 'unknown command "chekc". Did you mean check? Give one of check' },
    { line: 'dead-letters lst', says: 'Did you mean list?' },
    { line: '--vershun', says: 'unknown option --vershun' },
    { line: 'rules check', says: 'give FILE: a file with one rule' },
    { line: 'rules check a b', says: 'takes FILE, and 2 were given' },
    { line: 'completion', says: 'give SHELL' },
    { line: 'completion tcsh', says: 'SHELL is "tcsh": give one of bash, zsh, fish' },
    { line: 'rules check a --jsno', says: 'unknown option --jsno. Did you mean --json?' },
    { line: 'rules check a -j', says: 'unknown option -j. headgate rules check --help lists all' },
    { line: 'rules check a --json=1', says: '--json takes no value' },
    { line: 'rules check a --json --json', says: '--json is given twice' },
    { line: 'rules check a --plan gold', says: '--plan is "gold": give one of hobby, hacker, pro, scale' },
    { line: 'rules check a --plan', says: '--plan: give a value, as in --plan PLAN' },
    { line: 'rules check a --plan --json', says: '--plan: give a value; one that begins with a dash' },
    { line: 'rules dry-run a --hours 169', says: '--hours is "169": give a whole number from 1 to 168' },
    { line: 'rules dry-run a --hours 1e1', says: 'give a whole number' },
    { line: 'rules dry-run a --now yesterday', says: 'give a time such as 2026-01-31T12:00:00Z' },
    { line: 'rules dry-run a --now 2026-99-99', says: 'give a time such as' },
    { line: 'retention a --older-than 30', says: 'give a length of time such as 30d' },
    { line: 'retention a', says: 'give --older-than or --before, one of them' },
    { line: 'retention a --older-than 1d --before 2026-01-01', says: 'one of them' },
    { line: 'migrate', says: 'give STORE' },
    { line: 'migrate mysql://localhost', says: 'STORE must be the path of a SQLite file' },
    { line: 'dead-letters redeliver a', says: 'give a condition' },
    { line: 'dead-letters redeliver a --all --type x', says: 'not both' },
    { line: 'sign', says: 'there is no secret: set HEADGATE_SECRET' },
    { line: 'send http://127.0.0.1:1/ --secret x --timeout 11s', says: 'up to 10s' },
    { line: 'rules check nowhere.json', says: 'nowhere.json: there is no such file' },
    { line: 'rules check .', says: '.: it is a folder' },
    { line: 'dead-letters count nowhere.db', says: 'there is no such file; headgate migrate makes a store' },
  ])('headgate $line', async ({ line, says }) => {
    const { code, out, err } = await headgate(line.split(' '));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
  });

  test('without any word it prints what there is, to standard error', async () => {
    const { code, out, err } = await headgate([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('rules check');
  });
});

describe('no message repeats a secret', () => {
  const SECRET = 'whsec_hush';
  test.for(
    [
      ['sign', '--secret', SECRET, '--jsno'],
      ['sign', '--secert', SECRET],
      ['sign', `--secert=${SECRET}`],
      ['sign', 'a', SECRET],
      ['sign', '--secret', SECRET, '--origin', 'dead'],
      ['sign', '--secret', SECRET, 'nowhere'],
      ['listen', '--secret', SECRET, '--port', '99999'],
      ['verify', '--secret', SECRET, '--header', 'no header'],
      ['migrate', `mysql://me:${SECRET}@localhost/db`],
      ['migrate', `postgres://me:${SECRET}@127.0.0.1:1/db`],
    ].map((args) => ({ args })),
  )('headgate $args', async ({ args }) => {
    const { code, out, err } = await headgate(args);
    expect(code).toBe(2);
    expect(err).not.toBe('');
    expect(out + err).not.toContain('hush');
  });
});

describe('help', () => {
  test.for(['--help', '-h', 'help'])('%s lists every command on standard output', async (word) => {
    const { code, out, err } = await headgate([word]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name, summary } of specs) {
      expect(out).toContain(`  ${name}  `);
      expect(out.replace(/\s+/g, ' ')).toContain(summary);
    }
  });

  test.for(specs.map(({ name }) => name))(
    'of %s shows its options and examples, however it is asked for',
    async (name) => {
      const words = name.split(' ');
      const { code, out, err } = await headgate([...words, '--help']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const { options, examples } = specs.find((spec) => spec.name === name)!;
      for (const option of Object.keys(options)) expect(out).toContain(`--${option}`);
      for (const { command } of examples) expect(out).toContain(`\n  ${command}\n`);
      expect(await headgate(['help', ...words])).toEqual({ code, out, err });
      expect(await headgate([...words, '-h', 'anything', '--else'])).toEqual({ code, out, err });
    },
  );

  test('of a group lists its commands', async () => {
    const { code, out } = await headgate(['rules', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('rules dry-run');
    expect(out).not.toContain('retention');
  });

  test('no line but an example is wider than a terminal', async () => {
    const pages = await Promise.all(specs.map(({ name }) => headgate([...name.split(' '), '--help'])));
    const lines = pages.flatMap(({ out }) => (out.split('\nExamples\n')[0] ?? '').split('\n'));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('every example is a command line that is understood', () => {
    const calls = specs.flatMap(({ examples }) => examples.flatMap(({ command }) => callsIn(command)));
    expect(calls.length).toBeGreaterThan(30);
    for (const call of calls) {
      const spec = specs.find(({ name }) => call.join(' ').startsWith(name));
      expect(spec, call.join(' ')).toBeDefined();
      expect(() => readLine(spec!, call.slice(spec!.name.split(' ').length))).not.toThrow();
    }
  });

  test.for(['--version', '-v', '-V'])('%s prints the version', async (option) => {
    expect(await headgate([option])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });
});

/** The calls of `headgate` in a line of a shell, as words. */
function callsIn(line: string): string[][] {
  return line
    .split(/ \| | && |; (?=done)|; do |\$\(/)
    .filter((part) => /^(?:eval "\$\()?(?:\w+=\S+ )?headgate /.test(part))
    .map((part) => part.replace(/^(?:\w+=\S+ )?headgate /, '').replace(/ >.*$|\)".*$/, ''))
    .map((part) =>
      Array.from(part.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? ''),
    );
}

test('docs/cli.md is what the table says; `npx vitest run --project unit test/cli/line.test.ts -u` writes it', async () => {
  await expect(manual(specs)).toMatchFileSnapshot('../../docs/cli.md');
});

test.for([
  { word: 'lsit', known: ['list', 'lint'], guess: ' Did you mean list?' },
  { word: 'dry', known: ['dry-run', 'try'], guess: ' Did you mean dry-run?' },
  { word: 'secert', known: ['secret', 'secret-file'], guess: ' Did you mean secret?' },
  { word: 'b', known: ['check', 'try'], guess: '' },
  { word: '', known: ['check'], guess: '' },
])('of $known, $word means$guess', ({ word, known, guess }) => {
  expect(nearest(word, known)).toBe(guess);
});

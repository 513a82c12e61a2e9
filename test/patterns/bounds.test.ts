/** Bounds on work and memory, observed through engines that count. */
import { describe, expect, test } from 'vitest';
import type { PatternEngine } from '../../src/patterns/index.js';
import { compilePattern, compileRedaction } from './compile.js';
import { re2js } from './engines.js';

interface Watched extends PatternEngine {
  readonly alive: Set<string>;
  readonly compiled: string[];
}

/** re2js that counts, with room for three programs. */
function watchedEngine(terms: Partial<PatternEngine> = {}): Watched {
  const alive = new Set<string>();
  const compiled: string[] = [];
  const compile: PatternEngine['compile'] = (pattern) => {
    const program = re2js.compile(pattern);
    alive.add(pattern);
    compiled.push(pattern);
    return {
      test: (subject) => program.test(subject),
      next: (subject, from, groups) => program.next(subject, from, groups),
      dispose: () => alive.delete(pattern),
    };
  };
  return { ...re2js, maxPrograms: 3, compile, ...terms, alive, compiled };
}

/** Too long for an automaton of our own. */
const letters = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}[a-z]{0,40}`);

describe('programs', () => {
  test('are compiled at their first use and kept while the cache has space', () => {
    const engine = watchedEngine();
    const patterns = letters.map((letter) => compilePattern(letter, { engine }));
    expect(engine.compiled).toEqual([]);
    for (let round = 0; round < 3; round++) {
      for (const pattern of patterns.slice(0, 3)) pattern.test('abcde');
    }
    expect(engine.compiled).toHaveLength(3);
  });

  test('leave least recently used first, and are disposed of', () => {
    const engine = watchedEngine();
    const [a, b, c, d] = letters.map((letter) => compilePattern(letter, { engine }));
    for (const pattern of [a, b, c, a, d]) expect(pattern?.test('abcde')).toBe(true);
    expect([...engine.alive].map((pattern) => /[a-e]/.exec(pattern)?.[0])).toEqual(['a', 'c', 'd']);
    expect(b?.test('abcde')).toBe(true);
  });

  test('are shared by the patterns and redactions that mean the same', () => {
    const engine = watchedEngine();
    compilePattern('\\p{L}+', { engine }).test('x');
    compilePattern('(?-i)\\pL{1,}', { engine }).test('x');
    expect(compileRedaction('\\p{L}+', '-', { engine })('x').text).toBe('-');
    expect(engine.compiled).toHaveLength(1);
  });

  test('stay out of it when a literal is missing, of a pattern that is one, and of small patterns', () => {
    const engine = watchedEngine();
    expect(compilePattern('sk_[a-z]+', { engine }).test('nothing')).toBe(false);
    expect(compileRedaction('sk_[a-z]+', '-', { engine })('nothing')).toEqual({
      text: 'nothing',
      limited: false,
    });
    expect(compilePattern('bot', { engine }).test('robot')).toBe(true);
    expect(compilePattern('[a-z]{16}[0-9]{16}', { engine }).test('robot')).toBe(false);
    expect(engine.compiled).toEqual([]);
  });
});

describe('an engine that fails', () => {
  test('leaves a pattern undecided and a redaction closed, and is asked afresh', () => {
    let broken = true;
    const engine = watchedEngine();
    const failing: PatternEngine = {
      ...engine,
      compile(pattern) {
        const program = engine.compile(pattern);
        const work = <Result>(use: () => Result): Result => {
          if (broken) throw new Error('out of memory');
          return use();
        };
        return {
          ...program,
          test: (subject) => work(() => program.test(subject)),
          next: (subject, from, groups) => work(() => program.next(subject, from, groups)),
        };
      },
    };
    const pattern = compilePattern('a[a-z]{0,40}', { engine: failing });
    const redaction = compileRedaction('a[a-z]{0,40}', '$& gone', { engine: failing });
    expect(pattern.test('aa')).toBe(undefined);
    expect(engine.alive.size).toBe(0);
    expect(redaction('aa b')).toEqual({ text: '$& gone', limited: true });
    broken = false;
    expect(pattern.test('aa')).toBe(true);
    expect(redaction('aa b')).toEqual({ text: 'aa gone b', limited: false });
  });

  test('by refusing a program', () => {
    const engine: PatternEngine = {
      ...re2js,
      compile() {
        throw new RangeError('too large');
      },
    };
    expect(compilePattern('a[a-z]{0,40}', { engine }).test('a')).toBe(undefined);
  });
});

describe('work', () => {
  test('a subject longer than the engine holds is undecided; windows of it are not', () => {
    const engine = watchedEngine({ maxSubjectLength: 2000 });
    const subject = 'b'.repeat(3000);
    expect(compilePattern('a?b+', { engine }).test(subject)).toBe(undefined);
    expect(compileRedaction('[a-z]\\d?', '-', { engine })(subject)).toEqual({
      text: '-'.repeat(3000),
      limited: false,
    });
    expect(compileRedaction('b+', '-', { engine })(subject).limited).toBe(true);
  });

  test('an engine never sees half of a pair', () => {
    const engine = watchedEngine();
    const strict: PatternEngine = {
      ...engine,
      compile(pattern) {
        const program = engine.compile(pattern);
        const next: typeof program.next = (subject, from, groups) => {
          if (/\p{Surrogate}/u.test(subject)) throw new Error('half of a pair');
          return program.next(subject, from, groups);
        };
        return { ...program, next };
      },
    };
    for (const head of ['', 'a', '\ud800']) {
      const subject = head + '😀'.repeat(2000);
      expect(compileRedaction('[^b]+x?', '-', { engine: strict })(subject)).toEqual({
        text: '-',
        limited: false,
      });
    }
  });

  test('of a redaction adds up over its matches', () => {
    const redact = (budget: number): boolean =>
      compileRedaction('[a-z]\\d?', '-', { budget })('b'.repeat(1000)).limited;
    expect(redact(257_000)).toBe(false);
    expect(redact(255_000)).toBe(true);
  });

  test('of a redaction adds up where no engine runs', () => {
    const redact = (budget: number, subject: string): boolean =>
      compileRedaction('[ab]', '-', { budget })(subject).limited;
    expect(redact(20_000, 'b'.repeat(1000))).toBe(false);
    expect(redact(10_000, 'b'.repeat(1000))).toBe(true);
    expect(redact(2_600, `${'c'.repeat(10_000)}b`)).toBe(false);
    expect(redact(2_500, `${'c'.repeat(10_000)}b`)).toBe(true);
    expect(redact(2_500, `b${'c'.repeat(10_000)}`)).toBe(true);
  });

  test('of groups counts more', () => {
    const redact = (template: string): boolean =>
      compileRedaction('(.*)x', template, { budget: 100_000 })(`${'b'.repeat(1000)}x`).limited;
    expect(redact('$&')).toBe(false);
    expect(redact('$1')).toBe(true);
  });

  test('a search that meets its budget stops before the work is done', () => {
    let units = 0;
    const engine = watchedEngine();
    const counting: PatternEngine = {
      ...engine,
      compile(pattern) {
        const program = engine.compile(pattern);
        return {
          ...program,
          next: (subject, from, groups) => ((units += subject.length), program.next(subject, from, groups)),
        };
      },
    };
    const { cost } = compilePattern('x[^y]*y|x');
    expect(
      compileRedaction('x[^y]*y|x', '-', { engine: counting, budget: 1_000_000 })('x'.repeat(1 << 16))
        .limited,
    ).toBe(true);
    expect(units * cost).toBeLessThan(1_100_000);
  });

  test('of a redaction that begins with a text is that of the positions at which the text occurs', () => {
    const text = `${'nothing of the kind, and '.repeat(40_000)}ghp_${'a'.repeat(36)} and ghp_ alone`;
    const redact = (budget: number) => compileRedaction('ghp_[0-9a-z]{36,}', '-', { budget })(text);
    expect(redact(600_000)).toEqual({ text: text.replace(/ghp_a+/, '-'), limited: false });
    expect(redact(500_000)).toEqual({ text: '-', limited: true });
  });

  test('of a redaction is linear where its text stands everywhere and it matches nowhere', () => {
    const redact = (times: number, budget: number) =>
      compileRedaction('ghp_[0-9a-z]{36}', '-', { budget })(`ghp_${'x'.repeat(30)}-`.repeat(times)).limited;
    expect([redact(100, 400_000), redact(10_000, 40_000_000), redact(10_000, 4_000_000)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('of a long text grows with its length, since looking for it does', () => {
    const redact = (pattern: string, budget: number) =>
      compileRedaction(pattern, '-', { budget })('a'.repeat(10_000)).limited;
    expect([redact('a{7}b', 2_600), redact('a{799}b', 200_000), redact('a{799}b', 260_000)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('of putting groups with halves of pairs back is charged, where they must be looked for', () => {
    const text = `${'a'.repeat(3_000)}\ud800b${'a'.repeat(3_000)}`;
    const redact = (budget: number) => compileRedaction('a*([^a]ba*)', '$1', { budget })(text);
    expect(redact(10_000_000)).toEqual({ text: text.slice(3_000), limited: false });
    expect(redact(1_000_000).limited).toBe(true);
  });

  test('nothing is built before its length is looked at', () => {
    const template = '$&'.repeat(500);
    expect(compileRedaction('(?s).+', template)('a'.repeat(5_000_000))).toEqual({
      text: template,
      limited: true,
    });
    const long = '$&'.repeat(300_000);
    expect(compileRedaction('(?s).+', long)('a'.repeat(2_000))).toEqual({ text: long, limited: true });
  });

  test('the template that stands for the whole is cut where the room ends, between characters', () => {
    const redact = compileRedaction('(?s).+', '😀'.repeat(4) + '$&');
    const closed = (room: number) => redact('ab', room);
    expect([0, 1, 6].map((room) => closed(room).text)).toEqual(['😀', '😀\ufffd', '😀😀😀😀']);
  });

  test('what a template would blow up is replaced as a whole', () => {
    const template = '$&'.repeat(1000);
    expect(compileRedaction('a+', template)('a'.repeat(20_000))).toEqual({ text: template, limited: true });
    expect(compileRedaction('a', template)('a'.repeat(2000)).limited).toBe(false);
  });

  test.for([
    { template: '$&$&', subject: 'ab', room: 1, limited: false },
    { template: '$&$&', subject: 'ab', room: 0, limited: true },
    { template: '$&$&', subject: 'ba', room: 0, limited: true },
    { template: '', subject: 'ba', room: 0, limited: false },
  ])('a replacement of a with $template in $subject has room for $room: limited is $limited', (row) => {
    expect(compileRedaction('a', row.template)(row.subject, row.room).limited).toBe(row.limited);
  });
});

describe('templates', () => {
  test.for([
    { pattern: '(a)(b)?', template: '$1-$2', text: 'a-' },
    { pattern: '(a)', template: '$01$10$2$0$00', text: 'aa0$2$0$00' },
    { pattern: '(((((((((((a)))))))))))', template: '$11$12$1', text: 'aa2a' },
    { pattern: '(a)', template: '$$1$', text: '$1$' },
    { pattern: '(a)', template: "$`$'", text: "$`$'" },
    { pattern: '(a)', template: '$<n>$<$1>', text: '$<n>$<a>' },
    { pattern: '(?P<n>a)', template: '$<n>$<m>$<$1', text: 'a$<a' },
    { pattern: '(?P<n>a)', template: '$<$1>.', text: '.' },
    { pattern: '(?P<__proto__>a)', template: '$<__proto__>$<toString>', text: 'a' },
    { pattern: 'a', template: '$1', text: '$1' },
  ])('$pattern → $template is $text', ({ pattern, template, text }) => {
    expect(compileRedaction(pattern, template)('a').text).toBe(text);
    const javaScript = 'a'.replace(new RegExp(pattern.replace('?P<', '?<'), 'u'), template);
    if (!/\$[`']/.test(template)) expect(javaScript).toBe(text);
  });
});

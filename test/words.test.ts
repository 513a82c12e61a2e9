/** The English of comments, messages and documents: a phrase that reads like a translation fails, with a better one. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesUnder } from './files.js';

/** Phrases, with what to write instead. A space also matches a line break, and `^` the beginning of any line. */
const PHRASES: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/(?<!['"])\banew\b/, 'again'],
  [/\bin vain\b/, 'for nothing, or a form of "waste"'],
  [/\bfor ever\b/, 'forever'],
  [/\bno more[.,;]/, 'no longer, nothing else'],
  [/\b(?:[Tt]ells?|telling|told) of\b(?! \[)/, 'describes, reports, names'],
  [/\b[Tt]ells (?:that|whether|how|what|which|where|why|when)\b/, 'says, shows, reports, explains'],
  [/\b(?:is|are|was|were) told (?:as|beside|in|once|twice|nothing)\b/, 'is reported, is returned'],
  [
    /\bst(?:ands?|ood) (?:in|on|at|there|before|behind|above|below|beside|first|alone)\b/,
    'is in, comes first',
  ],
  [/(?<!\b[Tt]here )\b(?:is|are|was|were) none\b(?! of\b)/, 'does not exist, is invalid, is not one'],
  [
    /(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer|more|less|fewer|such|different|better|later)/,
    'is not a',
  ],
  [/\bno JSON\b/, 'not JSON'],
  [/\bthrows for no\b/, 'never throws on'],
  [/\b(?:ends?|ended|go|goes) (?:on )?by itself\b/, 'exits, continues on its own'],
  [/\b[Ss]o (?:many|much|long) (?:after|before|beyond|is|are|\w+s\b)/, 'this many, this long, a given time'],
  [/\ba line an?\b/, 'one line per'],
  [/\b[Ww]hoever\b/, 'anyone who, people who; or name the caller'],
  [/\b[Tt]hose who\b/, 'people who'],
  [/\bfulfil(?:s|led)?\b(?! [}=]|[(')])/, 'match, meet'],
  [/\bhanded in\b/, 'passed'],
  [/\b[Mm]end(?:s|ed|ing)?\b/, 'fix, repair, recover'],
  [/\breckon(?:s|ed)?\b(?!\()/, 'count, check'],
  [/(?<!\bin )\b[Tt]he way of (?:a|an|the)\b/, 'the path of'],
  [/\bbec[ao]mes? of\b/, 'happens to, happened to'],
  [/(?:^|[.;-] )Where (?![^.]*\?)/, 'If, When'],
  [/(?:^|[.:;] )Who (?![^.]*\?)/, 'If you, people who'],
  [/\bwhere there (?:is|are) no(?:ne)?\b/, 'if there is no(ne)'],
  [
    /(?<!= )\b(?:[Tt]rue|[Ff]alse|[Nn]ull|[Uu]ndefined|[Ee]mpty|also|even)`? where\b(?! \w+(?:\.| =| like| in))/,
    'if',
  ],
  [/\bnothing of (?:it|them)\b/, 'none of it, nothing about it'],
  [/\bevery such service\b/, 'every team'],
];

const ANY = new RegExp(PHRASES.map(([{ source }]) => source).join('|'));

/** The text of a line without the signs of a comment. Comments in SQL were released with it, so they stay. */
const textOf = (line: string): string =>
  line.replace(/^\s*(?:\/\*\*? |\* |\/\/ |--.*)?/, '').replace(/ {2}-- .*/, '');

/** The phrases of a file, each as `file:line: "phrase" → better`. */
function clumsy(file: string, content: string): string[] {
  const texts = content.split('\n').map(textOf);
  return texts.flatMap((text, i) => {
    const both = `${text} ${texts[i + 1] ?? ''}`;
    if (!ANY.test(both)) return [];
    return PHRASES.flatMap(([phrase, better]) => {
      const found = phrase.exec(both);
      return found && found.index < text.length ? [`${file}:${i + 1}: "${found[0].trim()}" → ${better}`] : [];
    });
  });
}

const files = ['src', 'examples', 'docs'].flatMap(filesUnder).concat('README.md', 'CONTRIBUTING.md');
const read = files.filter(
  (file) =>
    /\.(?:css|html|js|md|mjs|tsx?)$/.test(file) &&
    !/\/(?:node_modules|dist|generated|\.built)\/|^docs\/api\//.test(file),
);

test('comments, messages and documents read as a native speaker writes them', () => {
  expect(read.length).toBeGreaterThan(1_000);
  expect(read.flatMap((file) => clumsy(file, readFileSync(file, 'utf8')))).toEqual([]);
});

test('a phrase is found with its line, its file and a better one, also across lines of a comment', () => {
  const planted =
    '/**\n * Counts what whoever\n * asks. Null where\n * there is none, and is\n * no secret.\n */\n';
  expect(clumsy('src/planted.ts', planted)).toEqual([
    'src/planted.ts:2: "whoever" → anyone who, people who; or name the caller',
    'src/planted.ts:3: "where there is none" → if there is no(ne)',
    'src/planted.ts:3: "Null where" → if',
    'src/planted.ts:4: "is no" → is not a',
  ]);
  expect(clumsy('a.ts', "if (result.status === 'fulfilled') // There is no secret. Where is it?\n")).toEqual(
    [],
  );
});

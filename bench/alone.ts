/**
 * Measures the cost of one rule alone, beside predicates written by hand, plain and careful, and beside other
 * libraries.
 *
 *     npm ci --prefix bench && npx tsx bench/alone.ts [--tree "bare eq"] [--contender sift] [--quick]
 *
 * A process for each tree and contender, in which it takes turns with the predicate written by hand; both see the same
 * parsed events of about 1 KB. No process may make code from strings, but those of contenders that cannot do without.
 */
import { bareEq } from './alone/bare-eq.js';
import { careful, contenders, headgate, type Predicate } from './alone/contenders.js';
import { fourLeaves } from './alone/four-leaves.js';
import type { Event, Tree } from './alone/tree.js';
import { twelveLeaves } from './alone/twelve-leaves.js';
import { typeEq } from './alone/type-eq.js';
import { figure, times } from './reporting/figures.js';
import type { Answered } from './running/ask.js';
import { median } from './running/cpu.js';
import { askIfMain } from './running/main.js';
import {
  type Answer,
  type Case,
  NO_CODE_FROM_STRINGS,
  type Question,
  type Table,
  type Verdict,
  verdict,
} from './running/question.js';
import { awaiting, compare, type Compared, looping } from './running/rounds.js';
import { type Draft, eventTexts, parseEvent } from './webhooks/events.js';
import { Random } from './webhooks/random.js';

interface AloneCase extends Case {
  readonly tree: string;
  readonly contender: string;
}
type AloneAnswer = Answer<AloneCase, Compared>;

const trees = [typeEq, bareEq, fourLeaves, twelveLeaves];
const EVENTS = 256;

export const alone: Question<AloneCase, Compared> = {
  name: 'alone',
  title: 'Alone: one rule, beside a predicate written by hand and beside other libraries',
  cases: (quick) =>
    trees
      .filter((tree) => !quick || tree === fourLeaves)
      .flatMap(({ name: tree }) => contenders.map(({ name: contender }) => ({ tree, contender }))),
  flags: ({ contender }) =>
    contenderNamed(contender).mark === 'makes code from strings' ? [] : [NO_CODE_FROM_STRINGS],
  async measure({ tree: name, contender: by }, effort) {
    const tree = trees.find((tree) => tree.name === name)!;
    const contender = contenderNamed(by);
    const events = eventTexts(new Random(5), EVENTS, giveType).map(parseEvent);
    const predicate = await contender.compile(tree);
    await prove(tree, predicate, events);
    const slice = effort.roundMicros / 2;
    const side = contender.async ? awaiting(events, predicate, slice) : looping(events, predicate, slice);
    return compare([looping(events as Event[], tree.byHand, slice), side], effort);
  },
  report: (answers) => ({
    tables: [tableOf(answers)],
    verdicts: trees.flatMap((tree) => verdictsOf(tree, answers)),
  }),
};

/** Every third event is one that the shortest tree looks for. */
function giveType(event: Draft, nth: number): void {
  if (nth % 3 === 0) event.type = 'charge.succeeded';
}

const contenderNamed = (name: string) => contenders.find((contender) => contender.name === name)!;

/** The same as by hand on every event, of which some match and some do not. */
async function prove({ byHand }: Tree, predicate: Predicate, events: readonly unknown[]): Promise<void> {
  const right = (events as Event[]).map(byHand);
  const hits = right.filter(Boolean).length;
  if (hits < EVENTS / 20 || hits > EVENTS / 2) throw new Error(`${hits} of ${EVENTS} events match`);
  for (const [nth, event] of events.entries()) {
    const answer = await predicate(event);
    if (answer !== right[nth]) throw new Error(`${String(answer)} for ${JSON.stringify(event)}`);
  }
}

const find = (answers: readonly AloneAnswer[], tree: Tree, contender: string): Compared | undefined =>
  answers.find(({ of }) => of.tree === tree.name && of.contender === contender)?.result;

function tableOf(answers: readonly AloneAnswer[]): Table {
  const seen = trees.filter(({ name }) => answers.some(({ of }) => of.tree === name));
  const field = contenders.filter(({ name }) => answers.some(({ of }) => of.contender === name));
  const byHand = seen.map((tree) =>
    median(answers.flatMap(({ of, result }) => (of.tree === tree.name ? result.micros[0]! : []))),
  );
  return {
    title: 'An event, in CPU nanoseconds, and over the predicate written by hand',
    head: ['', ...seen.flatMap(({ name }) => [name, '']), ''],
    rows: [
      ['by hand', ...byHand.flatMap((micros) => [nanos(micros), '1 ×']), ''],
      ...field.map(({ name, mark, async }) => [
        name,
        ...seen.flatMap((tree) => {
          const result = find(answers, tree, name);
          return [nanos(result?.micros[1]), result ? times(result.ratios[1]!) : ''];
        }),
        [mark, async && 'promises only'].filter(Boolean).join(', '),
      ]),
    ],
    note: NOTE,
  };
}

const NOTE = [
  "By hand is what a person writes: event?.data?.body?.event === 'push'. It believes that a member is the event's own, and",
  'that a value has the type that it should have. By hand, carefully, guards against what JSON from outside can do to that:',
  'inherited members (constructor, or what was put on Object.prototype), parents that are absent or no objects, and numbers',
  'that come as strings. Headgate answers as the careful one does. 200 trees in turn: each event meets the next of 200',
  'different trees, as in a service with as many rules. The others read inherited members too, and know no coercion of',
  'numbers; the answers they are held to are the same.',
].join(' ');

const nanos = (micros: number | undefined): string => (micros === undefined ? '' : figure(micros * 1_000));

function verdictsOf(tree: Tree, answers: readonly AloneAnswer[]): Verdict[] {
  const own = find(answers, tree, headgate.name)?.ratios[1];
  const carefully = find(answers, tree, careful.name)?.ratios[1];
  const best = bestPeer(tree, answers);
  if (own === undefined || best === undefined) return [];
  const claim = `${tree.name}, over the fastest of the others without eval (${best.name})`;
  return [
    verdict(`${tree.name}, over by hand`, tree.limit, own, times),
    ...(carefully === undefined
      ? []
      : [verdict(`${tree.name}, over by hand, carefully`, 1, own / carefully, times)]),
    verdict(claim, 1, own / best.compared.ratios[1]!, times),
  ];
}

interface Named {
  readonly name: string;
  readonly compared: Compared;
}

/** The fastest of those that make no code from strings. */
function bestPeer(tree: Tree, answers: readonly AloneAnswer[]): Named | undefined {
  return contenders
    .filter((contender) => !contender.ours && contender.mark !== 'makes code from strings')
    .flatMap(({ name }): Named[] => {
      const compared = find(answers, tree, name);
      return compared === undefined ? [] : [{ name, compared }];
    })
    .sort((a, b) => a.compared.ratios[1]! - b.compared.ratios[1]!)[0];
}

/** Headgate and the fastest other, of a whole run; CPU microseconds. */
export function aloneAnswers(answered: readonly Answered[], treeName: string) {
  const answers = (answered.find(({ question }) => question.name === alone.name)?.answers ??
    []) as readonly AloneAnswer[];
  const tree = trees.find(({ name }) => name === treeName)!;
  const own = find(answers, tree, headgate.name);
  const best = bestPeer(tree, answers);
  if (own === undefined || best === undefined) throw new Error(`${treeName} was not measured`);
  return { own: { micros: own.micros[1]! }, best: { name: best.name, micros: best.compared.micros[1]! } };
}

await askIfMain(alone);

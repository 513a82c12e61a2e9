/** A value that is neither an object nor an array and meets the demands on its path. */
import type { Json } from '../../json.js';
import { numberIn } from '../values/index.js';
import { child, readPath } from '../path.js';
import { sizeOf, type LeafDemand } from './demand.js';
import type { Effort } from './effort.js';
import { BOOLEAN, NULL, NUMBER, STRING, kindOf } from './kinds.js';
import type { TextSet } from './meaning.js';
import { solveNumber, type NumberDemand } from './numbers.js';
import { NONE, OPEN, type Outcome, type DemandNode } from './demand-node.js';
import type { Shape } from './shape.js';
import { spellingNumber } from './text-automata.js';
import { solveText, type TextDemand } from './texts.js';

/** Finds a value of some of the kinds for a node. */
export type Solver = (node: DemandNode, kinds: number, effort: Effort) => Outcome;

/** Numbers that are tried for a text that spells one. */
const MAX_TRIES = 8;

/** Whether a present value meets all demands, those on what is in it too; `undefined` if that stays open. */
function fits(node: DemandNode, value: Json, effort: Effort): boolean | undefined {
  const size = sizeOf(value, effort.left);
  let decided = typeof value !== 'number' || Number.isFinite(value); // JSON text can only be infinite by numbers such as 1e400
  for (const { path, demand } of node.all()) {
    if (!effort.affords(4 + size + demand.size)) return undefined;
    const subject = path.length === 0 ? value : readPath(value, path);
    const met = subject === undefined ? demand.allowsAbsence : demand.meets(subject, effort);
    if (met === false) return false;
    decided &&= met === true;
  }
  return decided ? hasShape(value, node.shape) : undefined;
}

export function hasShape(value: unknown, { kinds, members = {}, elements }: Shape): boolean {
  if ((kindOf(value) & kinds) === 0) return false;
  if (Array.isArray(value)) {
    return elements === undefined || value.every((element) => hasShape(element, elements));
  }
  return Object.entries(members).every(([key, shape]) => {
    const member = child(value, { key, index: -1 });
    return member === undefined
      ? typeof value !== 'object' || value === null || shape.required !== true
      : hasShape(member, shape);
  });
}

/** The first value that fits; {@link OPEN} if one of them may. */
export function firstFit(node: DemandNode, values: Iterable<Json>, effort: Effort): Outcome {
  let outcome: Outcome = NONE;
  for (const value of values) {
    const isFit = fits(node, value, effort);
    if (isFit === true) return { value };
    if (isFit === undefined) outcome = OPEN;
    if (effort.left <= 0) return OPEN;
  }
  return outcome;
}

export const memberFor =
  (members: readonly Json[]): Solver =>
  (node, kinds, effort) => {
    const twins = members.flatMap((member) => {
      const number = typeof member === 'string' ? numberIn(member) : undefined;
      return number === undefined ? [] : [number];
    });
    return firstFit(
      node,
      [...members, ...twins].filter((value) => (kindOf(value) & kinds) !== 0),
      effort,
    );
  };

export const scalarFor: Solver = (node, kinds, effort) =>
  firstFit(
    node,
    [true, false, null].filter((value) => (kindOf(value) & kinds & (BOOLEAN + NULL)) !== 0),
    effort,
  );

/** Whether everything below a node may be absent, as it is if the value has no members. */
const canBeScalar = ({ children }: DemandNode): boolean =>
  [...children.values()].every(({ node }) => node.allowsAbsence());

export const numberFor: Solver = (node, kinds, effort) => {
  if ((kinds & NUMBER) === 0 || !canBeScalar(node)) return NONE;
  const demands: NumberDemand[] = [];
  for (const { meaning, yes } of node.demands) {
    if (!effort.affords(Array.isArray(meaning.numbers) ? meaning.numbers.length : 1)) return OPEN;
    demands.push({ set: meaning.numbers, yes });
  }
  const number = solveNumber(demands);
  return number === null ? NONE : number === undefined ? OPEN : confirmed(node, number, effort);
};

/** A value that was worked out, tried. */
const confirmed = (node: DemandNode, value: Json, effort: Effort): Outcome =>
  fits(node, value, effort) === true ? { value } : OPEN;

export const textFor: Solver = (node, kinds, effort) => {
  if ((kinds & STRING) === 0 || !canBeScalar(node)) return NONE;
  if (!effort.affords(node.demands.reduce((sum, { size }) => sum + size, 0))) return OPEN;
  const quick = firstFit(node, likelyTexts(node), effort);
  if (typeof quick === 'object') return quick;
  const hasNumbers = node.demands.some(({ meaning }) => meaning.spelled !== undefined);
  const words = searchTexts(node, hasNumbers ? wordDemands(node.demands) : textDemands(node.demands), effort);
  if (typeof words === 'object' || !hasNumbers) return words;
  const numerals = numeralFor(node, effort);
  return numerals === NONE && words === OPEN ? OPEN : numerals;
};

/** Texts that are plain, and that simple demands ask for. */
function likelyTexts({ demands, shape }: DemandNode): readonly string[] {
  const wanted = demands.flatMap(({ demand, yes }) => (yes ? [demand] : []));
  const affixes = (at: 'start' | 'end'): string[] =>
    wanted.flatMap((demand) => (demand.kind === 'affix' && demand.end === at ? [demand.text] : []));
  const parts = wanted.flatMap((demand) =>
    demand.kind === 'contains' && typeof demand.value === 'string' ? [demand.value] : [],
  );
  const longest = (all: readonly string[]): string =>
    all.reduce((one, next) => (next.length > one.length ? next : one), '');
  const joined = longest(affixes('start')) + parts.join('') + longest(affixes('end'));
  const bounds = demands.flatMap(({ demand }) =>
    demand.kind === 'bound' && typeof demand.value === 'string' ? [demand.value, `${demand.value}a`] : [],
  );
  const usual = typeof shape.usual === 'string' ? [shape.usual] : [];
  return [...usual, joined, ...parts, ...(joined === '' ? ['a', 'b'] : []), ...bounds];
}

function searchTexts(node: DemandNode, demands: readonly TextDemand[], effort: Effort): Outcome {
  const text = solveText(demands, (one) => fits(node, one, effort) === true, effort);
  return text === null ? NONE : text === undefined ? OPEN : { value: text };
}

const textDemands = (demands: readonly LeafDemand[]): readonly TextDemand[] =>
  demands.map(({ meaning, yes }) => ({ set: meaning.texts(), yes }));

/** The demands on a text that spells no number. */
const wordDemands = (demands: readonly LeafDemand[]): readonly TextDemand[] => [
  ...textDemands(demands),
  { set: spellingNumber(), yes: false },
];

/** A text that spells a number. That its number is right and that its letters are is decided apart. */
function numeralFor(node: DemandNode, effort: Effort): Outcome {
  const texts: TextDemand[] = [{ set: spellingNumber(), yes: true }];
  const numbers: NumberDemand[] = [];
  for (const { meaning, yes } of node.demands) {
    const { spelled, wordsOnly } = meaning;
    const set: TextSet = wordsOnly === true ? false : meaning.texts();
    if (spelled === undefined) texts.push({ set, yes });
    else if (!yes) {
      numbers.push({ set: spelled, yes });
      if (set !== false) texts.push({ set, yes });
    } else if (set === false) numbers.push({ set: spelled, yes });
  }
  for (let i = 0; i < MAX_TRIES; i++) {
    const number = solveNumber(numbers);
    if (number === null && i === 0) return NONE;
    if (number === null || number === undefined) break;
    const quick = firstFit(node, spellingsOf(number), effort);
    if (typeof quick === 'object') return quick;
    numbers.push({ set: [number], yes: false });
  }
  return searchTexts(node, texts, effort);
}

const spellingsOf = (number: number): readonly string[] => {
  const text = String(number);
  const isWhole = /^-?\d+$/.test(text);
  return [text, isWhole ? `${text}.0` : `${text}0`, `${text}e0`, isWhole ? `${text}.00` : `${text}00`].filter(
    (spelling) => numberIn(spelling) === number,
  );
};

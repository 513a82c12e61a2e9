/** Leaves that no event can meet together. */
import { leafPlaces } from '../explain.js';
import { pointerTo, type Place } from '../issues.js';
import type { Program, Step } from '../match.js';
import type { Rule } from '../rule.js';
import type { KnownCondition } from './known.js';
import { isPossible } from './possible.js';
import { describeLeaf, warningOf, type LintPlace, type LintWarning } from './warning.js';
import { Search } from './ways.js';

/** A leaf and those that it contradicts; none where it can hold for no value. */
interface Contradiction {
  readonly step: Step;
  readonly others: readonly Step[];
}

/** Warns of a tree that no event matches, or of branches by which none does. */
export function findContradictions(rule: Rule, program: Program): readonly LintWarning[] {
  const search = new Search([{ program, must: true }]);
  const { found, complete } = search.run(true);
  if (!complete || search.used.size === program.length) return [];
  const contradictions = Array.from(search.conflicts, ([step, conflict]) => blamed(step, conflict));
  const places = new Map(leafPlaces(rule.match).map((place, i) => [program.at(-1 - i), place]));
  const placeOf = (step: Step): LintPlace => leafPlace(rule, places.get(step) ?? null);
  if (!found) {
    const [first] = contradictions as [Contradiction];
    const steps = new Set(contradictions.flatMap(({ step, others }) => [step, ...others]));
    const example = contradictions.length > 1 ? 'for one, ' : '';
    const message = `no event matches: ${example}${sentence(first)}; change or remove a leaf`;
    return [warningOf('never_matches', rule, message, Array.from(steps, placeOf))];
  }
  return contradictions
    .filter(({ step }) => !search.used.has(step))
    .map((contradiction) => ({
      code: 'dead_branch',
      rule,
      /** Made when it is looked at: the pointers of a deep tree are long. */
      get pointer() {
        return placeOf(contradiction.step).pointer;
      },
      message: `no event matches by this branch: ${sentence(contradiction)}; change it or leave it out`,
      related: contradiction.others.map(placeOf),
    }));
}

/** The first single condition that rules the step out, else all of them. */
function blamed(step: Step, conflict: readonly KnownCondition[]): Contradiction {
  const own = conflict.filter((condition) => condition.step === step);
  const others = conflict.filter((condition) => condition.step !== step);
  if (!isPossible(own)) return { step, others: [] };
  const other = others.find((condition) => !isPossible([condition, ...own]));
  return { step, others: (other === undefined ? others : [other]).map((condition) => condition.step) };
}

function sentence({ step: { leaf }, others: [first, ...more] }: Contradiction): string {
  if (first === undefined) return `${describeLeaf(leaf)} holds for no value`;
  const others = [describeLeaf(first.leaf), ...(more.length > 0 ? [`${more.length} more`] : [])].join(
    ' and ',
  );
  return `${describeLeaf(leaf)} cannot hold where ${others} must`;
}

const leafPlace = (rule: Rule, place: Place): LintPlace => ({
  rule,
  get pointer() {
    return `/match${pointerTo(place)}`;
  },
});

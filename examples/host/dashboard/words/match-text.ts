/** A match tree as a sentence, such as `data.amount is greater than 5 and type is "a"`. Pure. */
import { exactDigits } from './exact-digits.js';
import { jsonExcerpt } from './json-view.js';
import { operatorText } from './operators.js';

/** Groups below this level are left out. */
const MOST_LEVELS = 5;
const MOST_VALUE = 80;

/** @param text - JSON; any text but a match tree stands for itself. */
export function matchText(text: string): string {
  try {
    return textAt(JSON.parse(text) as Node, '', exactDigits(text), 1);
  } catch {
    return text;
  }
}

/** A leaf or a group, as far as it is one. */
interface Node {
  readonly all?: readonly Node[];
  readonly any?: readonly Node[];
  readonly path: string;
  readonly op: string;
  readonly value?: unknown;
}

function textAt(node: Node, at: string, digits: ReadonlyMap<string, string>, level: number): string {
  const join = node.all !== undefined ? 'all' : 'any';
  const list = node[join];
  if (list === undefined) {
    if (typeof node.path !== 'string') throw new TypeError('neither a leaf nor a group');
    const written = digits.get(`${at}/value`);
    const value = node.value === undefined ? '' : ` ${written ?? jsonExcerpt(node.value, MOST_VALUE)}`;
    return `${node.path} ${operatorText(node.op)}${value}`;
  }
  if (level > MOST_LEVELS) return '…';
  const texts = list.map((child, index) => textAt(child, `${at}/${join}/${index}`, digits, level + 1));
  const joined = texts.join(join === 'all' ? ' and ' : ' or ');
  return level === 1 || texts.length < 2 ? joined : `(${joined})`;
}

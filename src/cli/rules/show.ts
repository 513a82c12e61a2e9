/** Rules and decisions in words. */
import { type Decision, diffJson, type JsonChange, type Leaf, type Rule } from '../../index.js';
import { cut } from '../output/text.js';
import { showValue } from '../output/value.js';

/** UTF-16 units in a line for people. */
const SHOWN_PATH = 60;
const SHOWN_NAME = 40;
/** Changes that a line for people names. */
const SHOWN_PLACES = 3;

export const showLeaf = ({ path, op, value }: Pick<Leaf, 'path' | 'op' | 'value'>): string =>
  [path, op, showValue(value)].filter((word) => word !== '').join(' ');

export const showName = ({ name }: Rule): string => cut(name, SHOWN_NAME);

/** A member of an event that should be text. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The paths of `data` that a decision changes. */
export const changesOf = (event: { readonly data?: unknown }, decision: Decision): readonly JsonChange[] =>
  decision.event.data === event.data ? [] : diffJson({ data: event.data }, { data: decision.event.data });

export function showChanges(changes: readonly JsonChange[]): string {
  const paths = changes.slice(0, SHOWN_PLACES).map(({ path }) => cut(path, SHOWN_PATH));
  const more = changes.length - paths.length;
  return [...paths, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Tags that a decision adds. */
export const addedTags = (event: { readonly tags?: unknown }, { tags }: Decision): readonly string[] => {
  const own = new Set(Array.isArray(event.tags) ? (event.tags as readonly unknown[]) : []);
  return tags.filter((tag) => !own.has(tag));
};

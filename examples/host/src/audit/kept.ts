/**
 * The states of a resource as the audit log keeps them: whole if they are small, else the members that changed. Pure.
 */
import { createHash } from 'node:crypto';
import { stringifyJson } from 'headgate';

/** Most bytes of a state that is kept whole. */
const MOST_WHOLE = 16_384;
/** Most bytes of a member of a larger state, and most members. */
const MOST_MEMBER = 2_048;
const MOST_MEMBERS = 16;
/** Most bytes of a state that an answer shows. Only an entry of an earlier version of the service has more. */
export const MOST_SHOWN = 65_536;

/** Replaces a value that is too large. */
export interface LeftOut {
  readonly left_out: {
    /** Size of its JSON. */
    readonly bytes: number;
    /** SHA-256 of its JSON, in hexadecimal; null for a value that is stored, but too large to be read for a list. */
    readonly sha256: string | null;
  };
}

/** The states of a resource before and after a change; undefined if there was nothing. */
interface States {
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

/** The same as JSON texts. */
interface KeptStates {
  readonly before: string | null;
  readonly after: string | null;
  readonly isWhole: boolean;
}

/**
 * The states that are written down: both whole if each has at most 16 KiB. Of larger ones the name and the members that
 * differ stay, and of a member of more than 2 KiB its size and its hash.
 */
export function keptStates({ before, after }: States): KeptStates {
  const whole = { before: textOf(before), after: textOf(after) };
  if (isSmall(whole.before) && isSmall(whole.after)) return { ...whole, isWhole: true };
  const [old, young] = [membersOf(before), membersOf(after)];
  const keep = (state: object, text: string, own: Members, other: Members): string => {
    const isUpdate = before !== undefined && after !== undefined;
    const kept = [...own].filter(([key, value]) => !isUpdate || key === 'name' || other.get(key) !== value);
    if (Array.isArray(state) || kept.length > MOST_MEMBERS) return leftOutText(text);
    return `{${kept.map(([key, value]) => `${JSON.stringify(key)}:${memberText(value)}`).join()}}`;
  };
  return {
    before: before === undefined ? null : keep(before, whole.before ?? '', old, young),
    after: after === undefined ? null : keep(after, whole.after ?? '', young, old),
    isWhole: false,
  };
}

/** The JSON text of each member. */
type Members = ReadonlyMap<string, string>;

const textOf = (state: object | undefined): string | null =>
  state === undefined ? null : stringifyJson(state);

const isSmall = (text: string | null): boolean => text === null || Buffer.byteLength(text) <= MOST_WHOLE;

const membersOf = (state: object | undefined): Members =>
  new Map(
    Object.entries(state ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, stringifyJson([value]).slice(1, -1)]),
  );

const memberText = (text: string): string =>
  Buffer.byteLength(text) <= MOST_MEMBER ? text : leftOutText(text);

const leftOutText = (text: string): string => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return JSON.stringify(leftOut(Buffer.byteLength(text), sha256));
};

/** @param bytes - The bytes of the JSON of the value. */
export const leftOut = (bytes: number, sha256: string | null): LeftOut => ({ left_out: { bytes, sha256 } });

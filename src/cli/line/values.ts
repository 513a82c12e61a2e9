/** Reads the value of an option. */
import { UsageError } from '../context.js';
import type { CountOption, DurationOption, InstantOption, Option, TextOption } from '../table/spec.js';

/** @throws {@link UsageError} with the option and what to give. */
export function readValue(
  name: string,
  option: Exclude<Option, { type: 'flag' }>,
  text: string,
): string | number {
  const value = read(option, text);
  if (typeof value !== 'object') return value;
  const given = option.type === 'text' && option.secret === true ? '' : ` is ${JSON.stringify(text)}`;
  throw new UsageError(`--${name}${given}: give ${value.give}`);
}

/** The words after "give", for a value that is not valid. */
interface Cure {
  readonly give: string;
}

function read(option: Exclude<Option, { type: 'flag' }>, text: string): string | number | Cure {
  switch (option.type) {
    case 'text':
      return readText(option, text);
    case 'count':
      return readCount(option, text);
    case 'instant':
      return readInstant(option, text);
    case 'duration':
      return readDuration(option, text);
  }
}

function readText({ choices }: TextOption, text: string): string | Cure {
  return choices?.includes(text) === false ? { give: `one of ${choices.join(', ')}` } : text;
}

function readCount({ min, max }: CountOption, text: string): number | Cure {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  return count >= min && count <= max ? count : { give: `a whole number from ${min} to ${max}` };
}

const DATE = /^\d{4}-\d\d-\d\d(?:T|$)/;

function readInstant(_: InstantOption, text: string): number | Cure {
  const at = /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? { give: 'a time such as 2026-01-31T12:00:00Z, or Unix seconds' } : at;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_DURATION_MS = 1e14;

function readDuration(_: DurationOption, text: string): number | Cure {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  const ms = Number(digits) * (UNITS[unit] ?? NaN);
  return ms <= MAX_DURATION_MS ? Math.round(ms) : { give: 'a length of time such as 30d, 12h, 5m or 90s' };
}

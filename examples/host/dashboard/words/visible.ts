/** Makes foreign text safe to show: what is invisible, or reverses the text beside it, is written out. Pure. */

/**
 * Control characters; marks, embeddings and isolates of direction; spaces of no width; fillers, annotations and tags;
 * half a pair of surrogates. Joiners stay: scripts and emoji need them.
 */
export const UNSEEN =
  /[\u17B4\u17B5]|[\u180B-\u180F]|[\p{Cc}\p{Cs}\u00AD\u061C\u115F\u1160\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/** A text with each unseen character as JSON escapes it, such as `\u202E`; tabs and ends of lines stay. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (one) => (one === '\n' || one === '\t' || one === '\r' ? one : escaped(one)));

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`,
  ).join('');

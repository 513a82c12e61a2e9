/** Text of others as it may be shown: what is invisible, or turns the order of what stands beside it, is written out. Pure. */

/** Control characters but for tab and line feed; marks, embeddings and isolates of direction; the byte order mark. */
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu;

/** A text with each unseen character as `\u202E`; tabs and line feeds stay. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (one) =>
    one === '\n' || one === '\t' || one === '\r'
      ? one
      : `\\u${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );

/** A block that a command writes into a document, between two comments. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Where a block stands. */
export interface Place {
  readonly document: string;
  /** The command that prints it. */
  readonly command: string;
}

/** The document, in three parts. Throws where the comments are not there. */
function parts({ document, command }: Place): [before: string, block: string, after: string] {
  const text = readFileSync(document, 'utf8');
  const begin = `<!-- printed by ${command} -->\n`;
  const end = `\n<!-- end of ${command} -->`;
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`${document} has no place for ${command}`);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

/** The block as it stands in the document. */
export const readBlock = (place: Place): string => parts(place)[1];

/** Writes the block into the document. */
export function writeBlock(place: Place, block: string): void {
  const [before, , after] = parts(place);
  writeFileSync(place.document, before + block + after);
}

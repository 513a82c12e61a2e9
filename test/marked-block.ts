/** A block that a command writes into a document, between two comments. */
import { readFileSync, writeFileSync } from 'node:fs';

/** The document that contains a block, and the command that writes it. */
export interface BlockId {
  readonly document: string;
  /** The command that prints it. */
  readonly command: string;
}

/** The document, in three parts. Throws where the comments are not there. */
function parts({ document, command }: BlockId): [before: string, block: string, after: string] {
  const text = readFileSync(document, 'utf8');
  const begin = `<!-- printed by ${command} -->\n`;
  const end = `\n<!-- end of ${command} -->`;
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`${document} has no block for ${command}`);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

/** The block as the document has it. */
export const readBlock = (id: BlockId): string => parts(id)[1];

/** Writes the block into the document. */
export function writeBlock(id: BlockId, block: string): void {
  const [before, , after] = parts(id);
  writeFileSync(id.document, before + block + after);
}

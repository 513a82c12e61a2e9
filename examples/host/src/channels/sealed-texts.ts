/** Reads every sealed text of the database. */
import type { Queries } from '../db/index.js';
import type { Place } from '../secrets/sealing.js';
import { SEALED, type SealedRow } from './statements.js';

/** A sealed text, and the statement that replaces it: `$1` id, `$2` the text, `$3` the new one. */
export interface SealedText extends SealedRow {
  readonly place: Place;
  readonly replace: string;
}

const PAGE = 500;

/** All sealed texts, page by page. They may be replaced meanwhile. */
export async function* sealedTexts(db: Queries): AsyncGenerator<SealedText> {
  for (const { place, page, replace } of SEALED) {
    for (let after = '', isLast = false; !isLast;) {
      const rows = await db.all<SealedRow>(page, [after, PAGE]);
      for (const row of rows) yield { ...row, place: place(row.id), replace };
      after = rows.at(-1)?.id ?? after;
      isLast = rows.length < PAGE;
    }
  }
}

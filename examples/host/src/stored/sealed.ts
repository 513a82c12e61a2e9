/** Every sealed text in the database. */
import type { Queries } from '../db/index.js';
import type { Field } from '../secrets/sealing.js';

/** A row with a sealed text. */
interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

/** The sealed texts of one column: the field of each, how they are read in pages, and how one is replaced. */
interface SealedColumn {
  readonly field: (id: string) => Field;
  readonly page: string;
  /** `$1` id, `$2` the text, `$3` the new one. Does nothing if somebody else has changed the text meanwhile. */
  readonly replace: string;
}

const column = (table: string, name: string): SealedColumn => ({
  field: (id) => `${table}:${id}:${name}`,
  page: `select id, ${name} as sealed from ${table} where id > $1 and ${name} is not null order by id limit $2`,
  replace: `update ${table} set ${name} = $3 where id = $1 and ${name} = $2`,
});

/** The columns with sealed texts. */
export const SEALED = {
  sourceSettings: column('channels', 'source_settings'),
  signingSecret: column('signing_secrets', 'sealed'),
  endpointHeaders: column('endpoints', 'headers'),
} as const;

/** A sealed text, and the statement that replaces it. */
export interface SealedText extends SealedRow {
  readonly field: Field;
  readonly replace: string;
}

const PAGE = 500;

/** All sealed texts, page by page. They may be replaced meanwhile. */
export async function* sealedTexts(db: Queries): AsyncGenerator<SealedText> {
  for (const { field, page, replace } of Object.values(SEALED)) {
    for (let after = '', isLast = false; !isLast;) {
      const rows = await db.all<SealedRow>(page, [after, PAGE]);
      for (const row of rows) yield { ...row, field: field(row.id), replace };
      after = rows.at(-1)?.id ?? after;
      isLast = rows.length < PAGE;
    }
  }
}

/** The secrets of channels, sealed into their rows and opened again. */
import type { Database } from '../db/index.js';
import type { Sealer } from '../secrets/sealing.js';
import type { SourceSettings } from '../sources/index.js';
import { SEALED, type SealedRow, type SecretRow } from './statements.js';

/** Seals and opens. */
export interface Vault {
  sealSettings(channel: string, settings: SourceSettings): string | null;
  openSettings(channel: string, sealed: string | null): SourceSettings;
  sealSecret(id: string, secret: string): string;
  openSecret(row: Pick<SecretRow, 'id' | 'sealed'>): string;
}

const NO_SETTINGS: SourceSettings = { secrets: [], header: null };
const [SETTINGS, SECRETS] = SEALED;

export const createVault = (sealer: Sealer): Vault => ({
  sealSettings: (channel, settings) =>
    settings.secrets.length === 0 && settings.header === null
      ? null
      : sealer.seal(JSON.stringify(settings), SETTINGS.place(channel)),
  openSettings: (channel, sealed) =>
    sealed === null
      ? NO_SETTINGS
      : (JSON.parse(sealer.open(sealed, SETTINGS.place(channel))) as SourceSettings),
  sealSecret: (id, secret) => sealer.seal(secret, SECRETS.place(id)),
  openSecret: ({ id, sealed }) => sealer.open(sealed, SECRETS.place(id)),
});

const PAGE = 100;

/**
 * Seals with the newest key all that older keys have sealed, so that those can be taken out of the environment. Several
 * processes may do so at once.
 *
 * @returns How many texts were sealed anew.
 */
export async function resealAll(db: Database, sealer: Sealer): Promise<number> {
  let sealedAnew = 0;
  for (const { place, page, replace } of SEALED) {
    for (let after = '', isLast = false; !isLast;) {
      const rows = await db.all<SealedRow>(page, [after, PAGE]);
      for (const { id, sealed } of rows.filter((row) => sealer.needsResealing(row.sealed))) {
        const next = sealer.seal(sealer.open(sealed, place(id)), place(id));
        sealedAnew += await db.run(replace, [id, sealed, next]);
      }
      after = rows.at(-1)?.id ?? after;
      isLast = rows.length < PAGE;
    }
  }
  return sealedAnew;
}

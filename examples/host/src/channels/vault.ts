/** The settings of sources, sealed into the rows of their channels and opened again. */
import type { Database } from '../db/index.js';
import { type Sealer, SealingError } from '../secrets/sealing.js';
import type { SourceSettings } from '../sources/index.js';
import { SEALED, sealedTexts } from '../stored/sealed.js';

/** Seals and opens. */
export interface Vault {
  sealSettings(channel: string, settings: SourceSettings): string | null;
  openSettings(channel: string, sealed: string | null): SourceSettings;
  /**
   * The same to be shown: secrets that cannot be opened are left out, so that their channel can be seen and repaired.
   */
  showSettings(channel: string, sealed: string | null): SourceSettings;
}

const NO_SETTINGS: SourceSettings = { secrets: [], header: null };
const SETTINGS = SEALED.sourceSettings;

export function createVault(sealer: Sealer): Vault {
  const openSettings: Vault['openSettings'] = (channel, sealed) =>
    sealed === null
      ? NO_SETTINGS
      : (JSON.parse(sealer.open(sealed, SETTINGS.field(channel))) as SourceSettings);
  return {
    sealSettings: (channel, settings) =>
      settings.secrets.length === 0 && settings.header === null
        ? null
        : sealer.seal(JSON.stringify(settings), SETTINGS.field(channel)),
    openSettings,
    showSettings: (channel, sealed) => opened(() => openSettings(channel, sealed)) ?? NO_SETTINGS,
  };
}

/** Returns the result of `open`; null if the sealer refuses. */
function opened<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealingError) return null;
    throw error;
  }
}

/** How many texts were sealed again, and how many no key of the environment opens. */
export interface Resealed {
  readonly resealed: number;
  readonly unreadable: number;
}

/**
 * Seals with the newest key all that older keys have sealed, so that those can be taken out of the environment. Several
 * processes may do so at once.
 */
export async function resealAll(db: Database, sealer: Sealer): Promise<Resealed> {
  let [resealed, unreadable] = [0, 0];
  for await (const { id, sealed, field, replace } of sealedTexts(db)) {
    if (!sealer.needsResealing(sealed)) continue;
    const text = opened(() => sealer.open(sealed, field));
    if (text === null) unreadable++;
    else resealed += await db.run(replace, [id, sealed, sealer.seal(text, field)]);
  }
  return { resealed, unreadable };
}

/**
 * Secrets at rest: AES-256-GCM, as `v1.<key id>.<iv>.<ciphertext>.<tag>` in base64url. A sealed text is bound to its
 * field, so that it cannot be moved to another row, and names its key, so that keys can be replaced one after the
 * other.
 */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { pooledRandom, type Random } from '../ids.js';

/** A key of the environment. */
export interface SealingKey {
  /** Letters, digits, `_` and `-`, 1 to 32 of them. Stored in clear with all that it seals. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** The field that a sealed text belongs to: `table:id:column`. */
export type Field = `${string}:${string}:${string}`;

/** Seals texts with the newest key, and opens what any of the keys has sealed. Lives as long as the process. */
export interface Sealer {
  /** @throws {@link SealingError} `invalid_text` for a lone surrogate, which UTF-8 cannot carry. */
  seal(text: string, about: Field): string;
  /** @throws {@link SealingError} `malformed`, `unknown_key`, `not_genuine` */
  open(sealed: string, about: Field): string;
  /** True if one of the keys opens it. */
  opens(sealed: string, about: Field): boolean;
  /** True unless the newest key has sealed it: open it, and seal it again. */
  needsResealing(sealed: string): boolean;
}

/**
 * - `invalid_keys`: there is no key, or one is unusable; the message lists all problems.
 * - `invalid_text`: the text to seal has a lone surrogate.
 * - `malformed`: the text was not made by a sealer.
 * - `unknown_key`: it was sealed with a key that is not among those given.
 * - `not_genuine`: it was changed, belongs to another field, or was sealed with another key of the same id.
 */
export type SealingErrorCode = 'invalid_keys' | 'invalid_text' | 'malformed' | 'unknown_key' | 'not_genuine';

/** A secret that cannot be sealed or opened, or keys that cannot be used. Its message has no part of any of them. */
export class SealingError extends Error {
  override readonly name = 'SealingError';
  readonly code: SealingErrorCode;

  constructor(code: SealingErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const CIPHER = 'aes-256-gcm';
const KEY_LENGTH = 32;
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
/** Without it, Node accepts a tag that was cut to four bytes. */
const OPTIONS = { authTagLength: TAG_LENGTH };

/**
 * @param keys - Newest first.
 * @throws {@link SealingError} `invalid_keys`
 */
export function createSealer(keys: readonly SealingKey[], random: Random = pooledRandom): Sealer {
  refuse(keys.length === 0 ? ['no key is given'] : problemsOf(keys));
  const known = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  const [{ id: newestId }] = keys as readonly [SealingKey];
  const newest = known.get(newestId) as KeyObject;
  const prefix = `v1.${newestId}.`;
  const open: Sealer['open'] = (sealed, about) => {
    const { keyId, ...parts } = parse(sealed);
    const key = known.get(keyId);
    if (key === undefined) {
      throw new SealingError('unknown_key', `No key has the id ${keyId}: is it still in the environment?`);
    }
    return decrypt(key, parts, about);
  };
  return {
    seal(text, about) {
      if (/\p{Surrogate}/u.test(text)) {
        throw new SealingError('invalid_text', 'The secret has a lone surrogate');
      }
      return prefix + encrypt(newest, random(IV_LENGTH), text, about);
    },
    open,
    opens(sealed, about) {
      try {
        open(sealed, about);
        return true;
      } catch (error) {
        if (error instanceof SealingError) return false;
        throw error;
      }
    },
    needsResealing: (sealed) => !sealed.startsWith(prefix),
  };
}

function encrypt(key: KeyObject, iv: Uint8Array, text: string, about: Field): string {
  const cipher = createCipheriv(CIPHER, key, iv, OPTIONS).setAAD(Buffer.from(about));
  // A stream cipher: the end adds nothing.
  const ciphertext = cipher.update(text, 'utf8', 'base64url') + cipher.final('base64url');
  return `${Buffer.from(iv).toString('base64url')}.${ciphertext}.${cipher.getAuthTag().toString('base64url')}`;
}

interface SealedParts {
  readonly iv: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly tag: Uint8Array;
}

const SEALED = /^v1\.([\w-]{1,32})\.([\w-]{16})\.([\w-]*)\.([\w-]{22})$/;

/** The id of the key that sealed a text; null for a text that no sealer made. */
export const keyIdOf = (sealed: string): string | null => SEALED.exec(sealed)?.[1] ?? null;

function parse(sealed: string): SealedParts & { readonly keyId: string } {
  const [, keyId, iv, ciphertext, tag] = SEALED.exec(sealed) ?? [];
  if (keyId === undefined) {
    throw new SealingError('malformed', 'Not a sealed secret: is the column encrypted?');
  }
  return { keyId, iv: fromBase64(iv), ciphertext: fromBase64(ciphertext), tag: fromBase64(tag) };
}

const fromBase64 = (text = ''): Buffer => Buffer.from(text, 'base64url');

function decrypt(key: KeyObject, { iv, ciphertext, tag }: SealedParts, about: Field): string {
  const decipher = createDecipheriv(CIPHER, key, iv, OPTIONS).setAAD(Buffer.from(about)).setAuthTag(tag);
  const text = decipher.update(ciphertext);
  try {
    return Buffer.concat([text, decipher.final()]).toString();
  } catch {
    throw new SealingError(
      'not_genuine',
      'The sealed secret was changed, belongs to another field, or its key has another value',
    );
  }
}

/**
 * The keys of an environment variable: `<id>:<base64 of 32 bytes>`, newest first, with commas between. Base64 and
 * base64url are read.
 *
 * @throws {@link SealingError} `invalid_keys`. Its message counts the entries from 1, and quotes none, since a key may
 * stand where the id belongs.
 */
export function parseSealingKeys(text: string): readonly SealingKey[] {
  if (text.trim() === '') throw new SealingError('invalid_keys', `it is empty; ${FORM}`);
  const entries = text.split(',').map(parseEntry);
  const keys = entries.map((entry) => (typeof entry === 'string' ? null : entry));
  const unreadable = entries.flatMap((entry, i) =>
    typeof entry === 'string' ? [`entry ${i + 1} ${entry}`] : [],
  );
  refuse([...unreadable, ...problemsOf(keys)]);
  return keys as readonly SealingKey[];
}

const FORM = 'give <id>:<base64 of 32 bytes>, newest first, with commas between';

/** An entry as a key of any length, or what is wrong with it. */
function parseEntry(entry: string): SealingKey | string {
  const [id = '', base64, ...more] = entry.trim().split(':');
  if (base64 === undefined || more.length > 0) return 'is not an id, a colon and a key';
  if (!/^[\w+/-]+={0,2}$/.test(base64)) return 'has a key that is not base64';
  return { id, key: Buffer.from(base64, 'base64') };
}

/** All that is wrong with keys, which are counted from 1; `null` stands for one that could not be read. */
function problemsOf(keys: readonly (SealingKey | null)[]): readonly string[] {
  return keys.flatMap((key, i) => {
    if (key === null) return [];
    const problems: string[] = [];
    if (!/^[\w-]{1,32}$/.test(key.id)) problems.push('has an id that is not 1 to 32 of A-Z a-z 0-9 _ -');
    if (key.key.length !== KEY_LENGTH) {
      problems.push(`has a key of ${key.key.length} bytes, not ${KEY_LENGTH}`);
    }
    const first = keys.findIndex((other) => other?.id === key.id);
    if (first < i) problems.push(`has the id of entry ${first + 1}`);
    return problems.map((problem) => `entry ${i + 1} ${problem}`);
  });
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new SealingError('invalid_keys', `${problems.join('; ')}; ${FORM}`);
}

/** Fixed headers of endpoints: which are allowed, how they are changed, sealed and shown. */
import { Problem, type ProblemIssue } from '../errors/problem.js';
import { type Sealer, SealingError } from '../secrets/sealing.js';
import { deliveryHeaderNames, OF_TRACE, OF_TRANSPORT } from '../secrets/signer.js';
import { SEALED } from '../stored/sealed.js';
import { type Endpoint, HEADERS_MASK } from './routes.js';
import type { EndpointRow } from './statements.js';

/** Values by name, as they are sent. */
export type FixedHeaders = Readonly<Record<string, string>>;
/** New values by name; null removes a header, and the mask leaves it as it is. */
export type HeaderChanges = Readonly<Record<string, string | null>>;

/** The columns of an endpoint with its headers. */
export type HeadersRow = Pick<EndpointRow, 'id' | 'headers'>;

/** Changes, opens and shows the headers of endpoints. */
export interface HeadersVault {
  /**
   * The column after a change; the same text if nothing changes.
   *
   * @throws Problem `invalid_document` with an issue for each header that is not allowed.
   */
  change(row: HeadersRow, changes: HeaderChanges): string | null;
  /** @throws {@link SealingError} */
  open(row: HeadersRow): FixedHeaders;
  /**
   * The names with masks. Headers that cannot be opened are left out, so that their endpoint can be seen and repaired.
   */
  shown(row: HeadersRow): Endpoint['headers'];
  /** The same for the audit log, which shows the values that changed. */
  audited(row: HeadersRow, before?: HeadersRow): Endpoint['headers'];
}

const MAX_HEADERS = 20;
const MAX_NAME = 128;
const MAX_VALUE = 4_096;
/** Most bytes of names and values together. Many servers take 8 KiB of headers, and a delivery has others, too. */
const MAX_BYTES = 6_144;

/** @param brand - The brand of the headers of deliveries; that of the library unless given. */
export function createHeadersVault(sealer: Sealer, brand?: string): HeadersVault {
  const field = SEALED.endpointHeaders.field;
  const own = deliveryHeaderNames(brand);
  const open: HeadersVault['open'] = ({ id, headers }) =>
    headers === null ? {} : (JSON.parse(sealer.open(headers, field(id))) as FixedHeaders);
  const opened = (row: HeadersRow): FixedHeaders => {
    try {
      return open(row);
    } catch (error) {
      if (error instanceof SealingError) return {};
      throw error;
    }
  };
  return {
    change(row, changes) {
      const before = opened(row);
      const after = changed(before, changes, own);
      if (JSON.stringify(after) === JSON.stringify(before)) return row.headers;
      return Object.keys(after).length === 0 ? null : sealer.seal(JSON.stringify(after), field(row.id));
    },
    open,
    shown: (row) => mapped(opened(row), () => HEADERS_MASK),
    audited(row, before = row) {
      const old = opened(before);
      return mapped(opened(row), (name, value) =>
        old[name] === value ? HEADERS_MASK : `${HEADERS_MASK} (changed)`,
      );
    },
  };
}

const mapped = (headers: FixedHeaders, to: (name: string, value: string) => string): FixedHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, to(name, value)]));

/** @throws Problem `invalid_document` */
function changed(before: FixedHeaders, changes: HeaderChanges, own: ReadonlySet<string>): FixedHeaders {
  const after = new Map(Object.entries(before).map((header) => [header[0].toLowerCase(), header]));
  const seen = new Set<string>();
  const issues: ProblemIssue[] = [];
  for (const [name, value] of Object.entries(changes)) {
    const key = name.toLowerCase();
    const problem = seen.has(key) ? REPEATED : problemOf(name, value, { isStored: after.has(key), own });
    seen.add(key);
    if (problem !== null) issues.push({ ...problem, pointer: pointerTo(name) });
    else if (value === null) after.delete(key);
    else if (value !== HEADERS_MASK) after.set(key, [name, value]);
  }
  const all = [...after.values()];
  if (issues.length === 0) issues.push(...sizeIssues(all));
  const [first] = issues;
  if (first === undefined) return Object.fromEntries(all);
  throw new Problem('invalid_document', `headers: ${first.message}`, { issues });
}

/** Names of RFC 9110, 5.6.2 that begin with a letter or a digit. */
const NAME = /^[\dA-Za-z][\w!#$%&'*+.^`|~-]*$/;
/** Values of RFC 9110, 5.5, which have no blanks at either end. */
const VALUE = /^[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?$/;
type Refusal = Omit<ProblemIssue, 'pointer'>;

const refusal = (code: string, message: string): Refusal => ({ code, message });
const REPEATED = refusal('repeated_header', 'the name is there twice, in other letters');

/** The name and value in a sentence would be those of the customer, so no message quotes them. */
function problemOf(
  name: string,
  value: string | null,
  { isStored, own }: { readonly isStored: boolean; readonly own: ReadonlySet<string> },
): Refusal | null {
  const key = name.toLowerCase();
  if (!NAME.test(name) || name.length > MAX_NAME) {
    return refusal('invalid_name', `a name is 1 to ${MAX_NAME} letters, digits, hyphens and the like`);
  }
  if (OF_TRANSPORT.test(key)) return refusal('reserved_header', 'HTTP itself sets this header');
  if (own.has(key)) return refusal('reserved_header', 'every delivery has a header of this name');
  if (OF_TRACE.test(key)) return refusal('reserved_header', 'the service keeps this header for traces');
  if (value === null) return null;
  if (value === HEADERS_MASK) {
    return isStored ? null : refusal('no_value', 'there is no such header yet, so give its value');
  }
  if (VALUE.test(value) && value.length <= MAX_VALUE) return null;
  return refusal(
    'invalid_value',
    `a value is 1 to ${MAX_VALUE} characters of Latin-1, without line breaks and without blanks at its ends`,
  );
}

function sizeIssues(all: readonly (readonly [name: string, value: string])[]): readonly ProblemIssue[] {
  const bytes = all.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const issue = (message: string) => ({ code: 'too_many_headers', pointer: '/headers', message });
  if (all.length > MAX_HEADERS) return [issue(`an endpoint has at most ${MAX_HEADERS} headers`)];
  if (bytes > MAX_BYTES) return [issue(`the names and values have at most ${MAX_BYTES} bytes together`)];
  return [];
}

const pointerTo = (name: string): string => `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

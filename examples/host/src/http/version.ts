/**
 * Versions of resources: an edit names the version that it has read, so that nobody overwrites what they have not seen.
 */
import { Problem } from '../errors/problem.js';

/** The ETag of a version. */
export const etag = (version: number): string => `"${version}"`;

/**
 * Holds `If-Match` against a resource.
 *
 * @param headers - The headers of the request. Without `If-Match`, and with `*`, the edit is taken.
 * @param version - The version that is stored.
 * @param current - The resource as it is stored, for the answer.
 * @throws Problem `version_conflict` when the request has read another version.
 */
export function expectVersion(headers: Headers, version: number, current?: object): void {
  const given = headers.get('if-match');
  if (given === null || given.trim() === '*') return;
  const known = given.split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(etag(version))) return;
  throw new Problem(
    'version_conflict',
    `somebody else has changed this since you read it: its version is now ${etag(version)}. Read it again`,
    { members: { version, ...(current !== undefined && { current }) } },
  );
}

/** Whether an edit gives a row any new value; one that does not leaves its version as it is. */
export const isChange = <Row extends object>(before: Row, edit: Partial<Row>): boolean =>
  Object.entries(edit).some(([name, value]) => before[name as keyof Row] !== value);

/** Signing in and out: sessions, and links that work once. */
import type { Principal } from '../api/principal.js';
import { bind, type BoundRoute, type PortalRole, SCOPES, WithHeaders } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Transaction } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import { cookieFor, setCookie, tokenIn, tokensIn } from './cookie.js';
import { actorOfSession, type CredentialParts, type Credentials } from './credentials.js';
import { hashKey, kindOfKey, newKey } from '../secrets/key-format.js';
import { createPortalLink as addPortalLink, createSignInToken } from './sign-in-links.js';
import { createPortalLink, endSessions, getSession, type Session, signIn, signOut } from './routes.js';
import {
  type CredentialRow,
  DELETE_SESSION,
  DELETE_SESSIONS,
  FIND_SESSION,
  type LinkRow,
  USE_LINK,
  USE_PORTAL_LINK,
  VOID_LINKS,
} from './statements.js';

/** Sessions. */
export interface Sessions {
  /** A token that begins one session of a project, within an hour. */
  signInLink(project: string): Promise<string>;
  readonly routes: readonly BoundRoute[];
}

const SESSION_SECONDS = 7 * 86_400;
/** The application that frames the portal makes a new link whenever it is opened. */
const PORTAL_SECONDS = 86_400;
/** The scopes that a session may have; the others are for programs. */
const SESSION_SCOPES: Session['scopes'] = ['read', 'manage'];

/** The key, or the one-time link, that begins a session. */
interface Beginner extends LinkRow {
  readonly scopes: Session['scopes'];
}

/** A session that has begun, and the token of its cookie. */
interface Begun {
  readonly token: string;
  readonly session: Session;
}

export function createSessions(parts: CredentialParts, credentials: Credentials): Sessions {
  const { db, now, origin, publicUrl } = parts;
  const beginnings = createBeginnings(parts, credentials);
  const endings = createEndings(parts, credentials);
  /** When the session of a request ends; null for a key. */
  const endOf = async (headers: Headers, { isSession }: Principal): Promise<string | null> => {
    if (!isSession) return null;
    const row = await credentials.find(tokenIn(headers, cookieFor(headers, origin)) ?? '', 'ses');
    return isoOrNull(row?.expires_at ?? null);
  };
  const cookie = (headers: Headers, token: string): Readonly<Record<string, string>> => {
    const of = cookieFor(headers, origin);
    const seconds = of.isPortal ? PORTAL_SECONDS : SESSION_SECONDS;
    return { 'set-cookie': setCookie(of, token, token === '' ? 0 : seconds) };
  };
  return {
    signInLink: (project) => createSignInToken(db, project, now()),
    routes: [
      bind(signIn, async ({ body: { key, token = '' }, headers }) => {
        const { isPortal } = cookieFor(headers, origin);
        const begun = await (key === undefined || isPortal
          ? beginnings.byLink(token, isPortal)
          : beginnings.byKey(key));
        return new WithHeaders(begun.session, cookie(headers, begun.token));
      }),
      bind(getSession, async ({ principal, headers }) => {
        if (principal === null) throw new Problem('unauthorized', 'sign in, or give a valid key');
        const { project, scopes, actor, portal = null } = principal;
        const held = SCOPES.filter((scope) => scopes.has(scope));
        return { project, scopes: held, actor, portal, expires_at: await endOf(headers, principal) };
      }),
      bind(signOut, async ({ headers }) => {
        await endings.of(tokensIn(headers));
        return new WithHeaders(undefined, cookie(headers, ''));
      }),
      bind(createPortalLink, async ({ params: { project }, body, principal: { actor } }) => {
        const { id, token, expiresAt } = await db.transaction((tx) =>
          addPortalLink(tx, { project, ...body, actor }, now()),
        );
        const url = `${publicUrl}/portal#token=${token}`;
        return { id, url, role: body.role, expires_at: iso(expiresAt) };
      }),
      bind(endSessions, async ({ params, principal, headers }) => {
        const answer = { ended: await endings.ofAll(params.project, principal.actor) };
        return new WithHeaders(answer, principal.isSession ? cookie(headers, '') : {});
      }),
    ],
  };
}

/** Begins sessions: with a key, or with the token of a link that works once. */
function createBeginnings({ db, now }: CredentialParts, credentials: Credentials) {
  const begin = async (tx: Transaction, { scopes, ...by }: Beginner): Promise<Begun> => {
    const at = now();
    const token = newKey('ses');
    const { project_id, role } = by;
    const expires_at = at + (role === null ? SESSION_SECONDS : PORTAL_SECONDS) * 1_000;
    const actor = actorOfSession(by);
    const portal = role as PortalRole | null;
    const session = { project: project_id, scopes, actor, portal, expires_at: iso(expires_at) };
    const row = { hash: hashKey(token), ...by, scopes: JSON.stringify(scopes) };
    await tx.insert('sessions', [{ ...row, created_at: at, expires_at }]);
    const entry = { project: project_id, actor, action: 'session.created', resource: actor };
    await writeAudit(tx, at, { ...entry, after: session });
    return { token, session };
  };
  return {
    async byKey(key: string): Promise<Begun> {
      const row = await credentials.find(key, 'key');
      if (row === null) {
        throw new Problem('unauthorized', 'key: this key is not valid; check that you pasted all of it');
      }
      const has = JSON.parse(row.scopes) as Session['scopes'];
      const scopes = SESSION_SCOPES.filter((scope) => has.includes(scope));
      if (scopes.length === 0) {
        throw new Problem('forbidden', 'signing in needs a key with the scope read or manage');
      }
      // If the key is revoked meanwhile, the session is over before it begins: both are looked up together.
      return db.transaction((tx) => begin(tx, { ...row, scopes }));
    },
    byLink: (token: string, isPortal: boolean): Promise<Begun> =>
      db.transaction(async (tx) => {
        const isToken = kindOfKey(token) === 'once';
        const link = isToken
          ? await tx.get<LinkRow>(isPortal ? USE_PORTAL_LINK : USE_LINK, [hashKey(token), now()])
          : undefined;
        if (link === undefined) {
          throw new Problem(
            'unauthorized',
            `token: it was used before, or it is too old; ${isPortal ? 'make another' : 'sign in with a key'}`,
          );
        }
        // The rights of the portal are those of its role: it has no scope.
        return begin(tx, { ...link, scopes: isPortal ? [] : SESSION_SCOPES });
      }),
  };
}

/** Ends sessions, those of some cookies or all of a project. */
function createEndings({ db, now }: CredentialParts, credentials: Credentials) {
  return {
    async of(tokens: readonly string[]): Promise<void> {
      await db.transaction(async (tx) => {
        for (const hash of tokens.filter((token) => kindOfKey(token) === 'ses').map(hashKey)) {
          const row = await tx.get<CredentialRow>(FIND_SESSION, [hash]);
          await tx.run(DELETE_SESSION, [hash]);
          if (row === undefined) continue;
          const actor = actorOfSession(row);
          await writeAudit(tx, now(), {
            project: row.project_id,
            actor,
            action: 'session.ended',
            resource: actor,
          });
          await tx.notify('keys', row.project_id);
        }
      });
      credentials.clear();
    },
    async ofAll(project: string, actor: string): Promise<number> {
      const ended = await db.transaction(async (tx) => {
        const at = now();
        const count = await tx.run(DELETE_SESSIONS, [project]);
        await tx.run(VOID_LINKS, [project, at]);
        const entry = { project, actor, action: 'sessions.ended', resource: `project:${project}` };
        await writeAudit(tx, at, { ...entry, before: { sessions: count } });
        await tx.notify('keys', project);
        return count;
      });
      credentials.clear();
      return ended;
    },
  };
}

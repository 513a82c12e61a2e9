/** The log: one JSON object a line, without a secret in any of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog, type Logger, logServed } from '../../src/runtime/log.js';
import { newKey } from '../../src/secrets/key-format.js';
import { newSigningSecret } from '../../src/secrets/signing-secret.js';

type Line = Readonly<Record<string, unknown>>;

/** A log that is kept. */
function kept(level = 'trace'): {
  readonly log: Logger;
  readonly lines: () => Line[];
  readonly text: () => string;
} {
  let all = '';
  const log = createLog(level, { write: (line) => void (all += line) });
  const lines = (): Line[] =>
    all.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  return { log, lines, text: () => all };
}

const served = { requestId: 'req_12345678', method: 'GET', ms: 1.26, actor: 'key:1' };

describe('the log', () => {
  test('is one JSON object a line, with level, time and process', () => {
    const { log, lines } = kept();
    log.info({ url: 'http://127.0.0.1:8080' }, 'started');
    expect(lines()).toEqual([
      {
        ...{ level: 'info', service: 'headgate', pid: process.pid, msg: 'started' },
        ...{ url: 'http://127.0.0.1:8080', time: expect.stringMatching(/^\d{4}-.*Z$/) as string },
      },
    ]);
  });

  test.for([
    { route: '/projects', status: 200, level: 'info' },
    { route: '/in/{channel}', status: 202, level: 'debug' },
    { route: '/readyz', status: 200, level: 'debug' },
    { route: '/in/{channel}', status: 503, level: 'error' },
  ])('$status of $route is logged as $level', ({ route, status, level }) => {
    const { log, lines } = kept();
    logServed(log, { ...served, route, status, error: status === 503 ? new Error('away') : undefined });
    const line = { level, route, status, request_id: served.requestId, ms: 1.3, actor: 'key:1' };
    expect(lines()).toEqual([expect.objectContaining(line)]);
  });

  test('of an error it has the message, the stack and the cause, and no values of a row', () => {
    const refused = Object.assign(new Error('null value in column "name"'), {
      code: '23502',
      detail: 'Failing row contains (canary).',
      where: 'unnamed portal parameter $1 = canary',
    });
    const { log, lines, text } = kept();
    log.error({ err: new Error('cannot record', { cause: refused }) }, 'deciding');
    expect(lines()[0]?.err).toMatchObject({
      message: 'cannot record',
      stack: expect.stringContaining('log.test.ts') as string,
      cause: { code: '23502', message: 'null value in column "name"' },
    });
    expect(text()).not.toContain('canary');
  });

  test('an error with itself as its cause is printed', () => {
    const error = new Error('round');
    error.cause = error;
    const { log, lines } = kept();
    log.error({ err: error }, 'round');
    expect(lines()).toHaveLength(1);
  });

  test('members with the names of secrets are left out at any depth', () => {
    const name = fc.constantFrom('key', 'Secret', 'token', 'Authorization', 'cookie', 'password', 'body');
    const path = fc.array(fc.constantFrom('a', 'headers', 'request', 'err'), { maxLength: 5 });
    fc.assert(
      fc.property(name, path, (member, steps) => {
        const { log, text } = kept();
        log.info(
          steps.reduce<object>((inner, step) => ({ [step]: inner }), { [member]: 'canary' }),
          'x',
        );
        expect(text()).toContain(member);
        expect(text()).not.toContain('canary');
      }),
    );
  });

  test('keys, signing secrets and passwords are left out of every text', () => {
    const secrets = [newKey('key'), newKey('ses'), newKey('once'), newSigningSecret()];
    const { log, text } = kept();
    for (const secret of secrets) {
      log.warn({ about: `no key ${secret}.`, err: new Error(secret), list: [secret] }, `says ${secret}`);
    }
    log.error({ err: new Error('connect postgres://app:hunter2@db:5432/x failed') }, 'database');
    for (const secret of [...secrets, 'hunter2']) expect(text()).not.toContain(secret);
    expect(text()).toContain('postgres://app:[redacted]@db:5432/x');
    expect(() => kept().lines()).not.toThrow();
    expect(
      text()
        .trim()
        .split('\n')
        .every((line) => JSON.parse(line) !== null),
    ).toBe(true);
  });

  test('nothing below its level is printed', () => {
    const { log, lines } = kept('warn');
    log.info('small talk');
    log.warn('something');
    expect(lines().map(({ msg }) => msg)).toEqual(['something']);
  });
});

/** `headgate verify` */
import { type Context, UsageError } from '../context.js';
import { readBody } from '../input/body.js';
import { requireSecrets } from '../input/secrets.js';
import { STDIN } from '../input/read.js';
import { type Style, styled } from '../output/printer.js';
import type { Run } from '../table/command.js';
import type { Values } from '../table/spec.js';
import type { verifySpec } from '../table/signing.js';
import type { Part } from '../verify/diagnosis.js';
import { type CapturedRequest, headersOf, readRequest } from '../verify/request.js';
import { judge, type Verdict } from '../verify/verdict.js';

export const run: Run<typeof verifySpec> = async ({ args, options }, context) => {
  const secrets = await requireSecrets(options, context);
  const request = await capturedRequest(args.REQUEST, options, context);
  const verdict = judge(request, {
    secrets,
    brand: options.brand,
    at: Math.floor((options.at ?? context.now()) / 1_000),
    maxAgeSeconds: options['max-age'] / 1_000,
  });
  if (options.json) await context.out.json({ genuine: verdict.code === null, ...verdict });
  else await print(verdict, context);
  return verdict.code === null ? 0 : 1;
};

type Options = Values<typeof verifySpec>['options'];

async function capturedRequest(
  path: string | undefined,
  { body, header }: Options,
  context: Context,
): Promise<CapturedRequest> {
  const own = headersOf(header);
  if (body !== undefined) {
    if (path === undefined) return { headers: own, body: await readBody(body, context) };
    throw new UsageError('a request and --body are given: give one of them');
  }
  const bytes = await readBody(path ?? STDIN, context);
  const request = readRequest(bytes);
  return { ...request, headers: new Map([...request.headers, ...own]) };
}

const STYLES: Readonly<Record<Part['is'], Style>> = { ok: 'green', wrong: 'red', unknown: 'yellow' };

async function print(verdict: Verdict, { out }: Context): Promise<void> {
  const { code, headers, body, secret, time } = verdict;
  await out.line(code === null ? styled('green', 'genuine') : styled('red', `not genuine: ${code}`));
  for (const [name, { is, how }] of Object.entries({ headers, body, secret, time })) {
    const words = is === 'unknown' ? 'not known' : is;
    await out.line(`  ${name.padEnd(9)}`, styled(STYLES[is], words), how === '' ? '' : `: it ${how}`);
  }
}

/**
 * Has the reference libraries of Standard Webhooks for Python and Go verify what this package signs. They come from a checkout
 * of github.com/standard-webhooks/standard-webhooks, since their registries cannot be reached from everywhere; the library for
 * JavaScript is among the tests.
 *
 *     npm run test:references -- <checkout>
 *
 * It needs python3 and Go 1.20 or later, and fails unless each library accepts every request and refuses every altered one.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigner } from '../../../src/signing/index.js';

const REQUESTS = 1_000;

/** Requests with one to three secrets of 24 to 64 bytes, signed now. */
function signedRequests(): readonly { readonly secrets: readonly string[] }[] {
  const timestamp = Math.floor(Date.now() / 1_000);
  return Array.from({ length: REQUESTS }, (_, n) => {
    const secrets = Array.from(
      { length: 1 + (n % 3) },
      () => `whsec_${randomBytes(24 + (n % 41)).toString('base64')}`,
    );
    const body = JSON.stringify({
      id: `evt_${n}`,
      text: `Zoë "\n ${String.fromCodePoint(0x1f600 + (n % 80))}`,
    });
    const scheme = n % 2 === 0 ? 'standard_webhooks' : 'both';
    const about = { eventId: `evt_${n}`, eventType: 'invoice.paid', origin: 'live', timestamp } as const;
    return { secrets, body, headers: createSigner({ secrets, scheme }).headers(body, about) };
  });
}

/** A Go module with the library and the program beside it, so that nothing is downloaded. */
function goModule(checkout: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-go-'));
  mkdirSync(join(folder, 'standardwebhooks'));
  writeFileSync(join(folder, 'go.mod'), 'module headgate.test\n\ngo 1.20\n');
  copyFileSync(join(checkout, 'libraries/go/webhook.go'), join(folder, 'standardwebhooks/webhook.go'));
  copyFileSync(join(import.meta.dirname, 'verify.go'), join(folder, 'main.go'));
  return folder;
}

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error('give a checkout of standard-webhooks/standard-webhooks');
const requests = signedRequests();
const input = JSON.stringify(requests);
const signatures = requests.reduce((sum, { secrets }) => sum + secrets.length, 0);
const module = goModule(checkout);
try {
  const python = join(import.meta.dirname, 'verify.py');
  const printed = {
    Python: execFileSync('python3', [python, join(checkout, 'libraries/python')], { input }),
    Go: execFileSync('go', ['run', '.'], { input, cwd: module }),
  };
  for (const [language, output] of Object.entries(printed)) {
    const line = output.toString().trim();
    console.log(`${language}: ${line}`);
    if (line !== `${signatures} verified, ${signatures} refused`) process.exitCode = 1;
  }
} finally {
  rmSync(module, { recursive: true });
}

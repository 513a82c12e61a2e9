/** Both signers and verifiers behind one asynchronous interface. */
import * as node from '../../src/signing/index.js';
import * as web from '../../src/signing/web.js';

type Options = node.VerifierOptions;

/** The result of verifying: the delivery, or the code of its refusal. Other errors are rethrown. */
export type Outcome = node.VerifiedDelivery | node.SignatureErrorCode;

/** Both modules behind one asynchronous face, so that every test runs on both. */
export const runtimes = [
  { name: 'node', ...node },
  { name: 'web', ...web },
];

/** An hour's clock for tests: the time of the known answer. */
export const NOW = 1_700_000_000;
export const SECRET = 'whsec_test';
export const BODY = '{"a":1}';
/** The known answer. */
export const MAC = '38877139021993b830af32feea6e18a8da83eb2f6e49ee50bd9e4cf4ca4d3789';
export const SIGNATURE = `t=${NOW},v1=${MAC}`;

export async function outcome(
  { createVerifier }: Pick<(typeof runtimes)[number], 'createVerifier'>,
  options: Partial<Options>,
  body: node.Bytes,
  headers: node.HeaderSource,
): Promise<Outcome> {
  try {
    return await createVerifier({ secrets: SECRET, now: () => NOW, ...options })(body, headers);
  } catch (error) {
    if (error instanceof node.SignatureError) return error.code;
    throw error;
  }
}

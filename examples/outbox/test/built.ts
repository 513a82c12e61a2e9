/** Before the tests: `headgate` is the built package here, so it must be that of the sources. */
import { newest } from '../../../test/files.js';

/** Called by vitest. */
export default function assertBuilt(): void {
  if (newest('dist') < newest('src')) throw new Error('dist is older than src: run `npm run build` first');
}

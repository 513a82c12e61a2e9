/**
 * Run by `npm run build` after tsup: makes the declarations of `headgate/testing` valid where fast-check is not
 * installed. tsup drops references between declarations, and removes declarations that it has not made.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';

const REFERENCE = '/// <reference path="./absent.d.ts" />\n';

copyFileSync('src/testing/arbitraries/absent.d.ts', 'dist/testing/absent.d.ts');
for (const path of ['dist/testing/index.d.ts', 'dist/testing/index.d.cts']) {
  const declarations = readFileSync(path, 'utf8');
  if (!declarations.startsWith(REFERENCE)) writeFileSync(path, REFERENCE + declarations);
}

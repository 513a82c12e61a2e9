/** Runs once before the tests: compiles the rule schemas where they are missing or older than what they come from. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { newest } from './files.js';

const generator = 'src/rules/schema/generate.ts';
const generated = 'src/rules/schema/validators.js';

export default function setup(): void {
  if (!existsSync(generator)) return;
  if (newest('src/rules/schema', (path) => !path.includes('validators.')) <= newest(generated)) return;
  execFileSync(process.execPath, ['--import', 'tsx', generator], { stdio: 'inherit' });
}

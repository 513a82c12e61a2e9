/** Runs once before the tests: compiles the rule schemas where they are missing or older than what they come from. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { newest } from './files.js';

const GENERATOR = 'src/rules/schema/generate.ts';
const GENERATED = 'src/rules/schema/validators.js';

export default function setup(): void {
  if (!existsSync(GENERATOR)) return;
  if (newest('src/rules/schema', (path) => !path.includes('validators.')) <= newest(GENERATED)) return;
  execFileSync(process.execPath, ['--import', 'tsx', GENERATOR], { stdio: 'inherit' });
}

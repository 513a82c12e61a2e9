/** The command line of a bench. */
import type { parseArgs, ParseArgsConfig } from 'node:util';
import { readCommandLine } from '../../test/command-line.js';
import { SMOKE_NOTE } from './smoke.js';

/** Options of a bench, and whether it is asked for its shortest form. */
type Line<Config extends ParseArgsConfig> = ReturnType<typeof parseArgs<Config>> & {
  readonly smoke: boolean;
};

/** Reads the command line. With `--smoke` the bench says first that its figures are not to be quoted. */
export function readBenchLine<Config extends ParseArgsConfig>(config: Config): Line<Config> {
  const smoke = process.argv.includes('--smoke');
  const options = { ...config.options, smoke: { type: 'boolean' } } as const;
  const parsed = readCommandLine({ ...config, options });
  if (smoke) console.log(SMOKE_NOTE);
  return Object.assign(parsed as ReturnType<typeof parseArgs<Config>>, { smoke });
}

/** The command lines of benches and long tests: what is wrong on them is answered with what there is. */
import { relative } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * Reads the command line. Ends the process after `--help`, and with 2 after what it does not know.
 *
 * @param config - As `parseArgs` takes it.
 */
export function readCommandLine<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.includes('--help')) {
    console.log(usageOf(config));
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(usageOf(config));
    process.exit(2);
  }
}

function usageOf({ options = {}, allowPositionals = false }: ParseArgsConfig): string {
  const words = Object.entries(options).map(([name, { type, default: value }]) =>
    type === 'boolean' ? `[--${name}]` : `[--${name} ${String(value ?? '') || '…'}]`,
  );
  const script = relative(process.cwd(), process.argv[1] ?? '');
  return ['usage: npx tsx', script, ...words, ...(allowPositionals ? ['[names …]'] : [])].join(' ');
}

/** Reads the words of a command line after those that name the command. */
import { parseArgs } from 'node:util';
import { UsageError } from '../context.js';
import type { Option, Spec, Values } from '../table/spec.js';
import { nearest } from './nearest.js';
import { readValue } from './values.js';

/** A request: for the help of the command, or for its run with these values. */
export type Asked = { readonly help: true } | { readonly help: false; readonly values: Values<Spec> };

interface OptionToken {
  readonly kind: 'option';
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** @throws {@link UsageError} for the first word that is wrong. */
export function readLine(spec: Spec, args: readonly string[]): Asked {
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions(spec),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = tokens.filter((token) => token.kind === 'option') as OptionToken[];
  if (given.some(({ name }) => name === 'help')) return { help: true };
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  // As the spec of the command types them.
  const values = {
    options: readOptions(spec, given),
    args: readArguments(spec, positionals),
  } as Values<Spec>;
  return { help: false, values };
}

const parserOptions = ({
  options,
}: Spec): Record<string, { type: 'boolean' | 'string'; short?: string }> => ({
  ...Object.fromEntries(
    Object.entries(options).map(([name, { type }]) => [
      name,
      { type: type === 'flag' ? ('boolean' as const) : ('string' as const) },
    ]),
  ),
  help: { type: 'boolean', short: 'h' },
});

/** The values of all options: the given ones, and the defaults of the others. */
function readOptions(spec: Spec, given: readonly OptionToken[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const token of given) {
    const option = Object.hasOwn(spec.options, token.name) ? spec.options[token.name] : undefined;
    if (option === undefined) throw unknownOption(spec, token);
    const value = valueOf(token, option);
    if (option.type === 'text' && option.many === true) {
      values[token.name] = [...((values[token.name] as string[] | undefined) ?? []), value];
    } else if (token.name in values) {
      throw new UsageError(`--${token.name} is given twice: give it once`);
    } else {
      values[token.name] = value;
    }
  }
  for (const [name, option] of Object.entries(spec.options)) values[name] ??= defaultOf(name, option);
  return values;
}

function valueOf({ name, value, inlineValue }: OptionToken, option: Option): string | number | true {
  if (option.type === 'flag') {
    if (value === undefined) return true;
    throw new UsageError(`--${name} takes no value: leave it out`);
  }
  if (value === undefined) throw new UsageError(`--${name}: give a value, as in --${name} ${option.value}`);
  // `--secret --json` is a forgotten value far more often than a secret.
  if (inlineValue !== true && /^-./.test(value)) {
    throw new UsageError(`--${name}: give a value; one that begins with a dash as --${name}=-…`);
  }
  return readValue(name, option, value);
}

function defaultOf(name: string, option: Option): unknown {
  if (option.type === 'flag') return false;
  if (option.type === 'text' && option.many === true) return [];
  if (!('default' in option)) return undefined;
  return typeof option.default === 'string' ? readValue(name, option, option.default) : option.default;
}

function unknownOption({ name: command, options }: Spec, { name, rawName }: OptionToken): UsageError {
  const guess = rawName.startsWith('--') ? nearest(name, Object.keys(options)) : '';
  const spelled = guess.replace('mean ', 'mean --');
  return new UsageError(`unknown option ${rawName}.${spelled} headgate ${command} --help lists all`);
}

function readArguments(
  { name: command, args }: Spec,
  given: readonly string[],
): Record<string, string | undefined> {
  const names = Object.keys(args);
  if (given.length > names.length) {
    const takes = names.length === 0 ? 'no argument' : names.join(' and ');
    throw new UsageError(`headgate ${command} takes ${takes}, and ${given.length} were given`);
  }
  return Object.fromEntries(
    Object.entries(args).map(([name, { optional, choices, description }], index) => {
      const value = given[index];
      if (value === undefined && optional !== true) throw new UsageError(`give ${name}: ${description}`);
      if (value !== undefined && choices?.includes(value) === false) {
        throw new UsageError(`${name} is ${JSON.stringify(value)}: give one of ${choices.join(', ')}`);
      }
      return [name, value];
    }),
  );
}

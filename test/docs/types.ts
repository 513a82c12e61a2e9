/** The members of public types, as the compiler sees them. */
import { resolve } from 'node:path';
import ts from 'typescript';
import { entries } from '../../tsup.config.js';

/** A member of a type. */
export interface Member {
  /** With a `?` behind it where it may be left out. */
  readonly name: string;
  /**
   * As TypeScript prints it on one line, with single quotes: with the name of a union, and with the union written out.
   */
  readonly types: readonly string[];
}

const FORMATS = [
  ts.TypeFormatFlags.NoTruncation,
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias,
];

/**
 * @param names - Types by their entry and name, such as `delivery/index.Delivery`.
 * @returns The members of each, in the order of its declaration; those of a supertype first.
 */
export function membersOf(names: readonly string[]): ReadonlyMap<string, readonly Member[]> {
  const paths = names.map((name) => resolve(entries[entryOf(name)] ?? name));
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true };
  const program = ts.createProgram(paths, { ...options, exactOptionalPropertyTypes: true, types: ['node'] });
  const checker = program.getTypeChecker();
  const members = (name: string, path: string): readonly Member[] => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.Node) as ts.Symbol;
    const found = checker
      .getExportsOfModule(module)
      .find((one) => one.name === name.slice(entryOf(name).length + 1));
    if (found === undefined) throw new Error(`no type ${name}`);
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    return checker
      .getDeclaredTypeOfSymbol(symbol)
      .getProperties()
      .map((member) => memberOf(member, checker));
  };
  return new Map(names.map((name, i) => [name, members(name, paths[i] as string)]));
}

const entryOf = (name: string): keyof typeof entries =>
  name.slice(0, name.lastIndexOf('.')) as keyof typeof entries;

function memberOf(member: ts.Symbol, checker: ts.TypeChecker): Member {
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
  const type = checker.getTypeOfSymbol(member);
  const printed = (format: ts.TypeFormatFlags): string =>
    checker
      .typeToString(type, undefined, format)
      .replaceAll('"', "'")
      .replace(isOptional ? / \| undefined$/ : /$^/, '');
  return { name: `${member.name}${isOptional ? '?' : ''}`, types: FORMATS.map(printed) };
}

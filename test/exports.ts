/** The exports of each entry of the package, as the compiler sees them. */
import { resolve } from 'node:path';
import ts from 'typescript';
import { entries } from '../tsup.config.js';

/** A public name. */
export interface Export {
  /** The entry and the name, such as `signing/index.createSigner`. */
  readonly name: string;
  readonly symbol: ts.Symbol;
  /** The type that it returns, where it is a function. */
  readonly returns: ts.Type | null;
  /** Names of the tags in its doc comment. */
  readonly tags: readonly string[];
}

/** The exports of all entries, and the checker that their types belong to. */
export function readExports(): { readonly exports: readonly Export[]; readonly checker: ts.TypeChecker } {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  };
  const program = ts.createProgram(
    Object.values(entries).map((path) => resolve(path)),
    options,
  );
  const checker = program.getTypeChecker();
  const exports = Object.entries(entries).flatMap(([entry, path]) => {
    const file = program.getSourceFile(resolve(path));
    const module = file && checker.getSymbolAtLocation(file);
    return (module ? checker.getExportsOfModule(module) : []).map((alias) =>
      exportOf(`${entry}.${alias.name}`, alias, checker),
    );
  });
  return { exports, checker };
}

function exportOf(name: string, alias: ts.Symbol, checker: ts.TypeChecker): Export {
  const symbol = alias.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(alias) : alias;
  const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
  const [signature] = isValue ? checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
  return {
    name,
    symbol,
    returns: signature ? checker.getReturnTypeOfSignature(signature) : null,
    tags: symbol.getJsDocTags(checker).map((tag) => tag.name),
  };
}

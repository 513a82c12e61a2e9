/**
 * A report of each entry point: every name that it exports, with its declaration, so that no export changes unnoticed.
 * After a change that is meant, `npx vitest run --project dist api-reports -u` writes them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, inject, test } from 'vitest';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly import: { readonly types: string } }>>;
};
const entries = Object.entries(exports).flatMap(([path, of]) =>
  typeof of === 'string' ? [] : [{ name: join('headgate', path), types: of.import.types }],
);
const home = join(inject('consumer'), 'node_modules/headgate');
const program = ts.createProgram(
  entries.map(({ types }) => join(home, types)),
  { module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true, types: [] },
);
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

/** The declarations of an export, without comments, each in a line. */
function declarationsOf(symbol: ts.Symbol): readonly string[] {
  const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (own.declarations ?? []).map((declaration) => {
    // A constant is declared within a statement that says so.
    const whole = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    const text = printer.printNode(ts.EmitHint.Unspecified, whole, declaration.getSourceFile());
    return `${symbol.name}: ${text.replaceAll(/\s+/g, ' ').replace(/^(?:export )?declare /, '')}`;
  });
}

test.for(entries)('$name exports what its report says', async ({ name, types }) => {
  const source = program.getSourceFile(join(home, types));
  const symbol = source && checker.getSymbolAtLocation(source);
  if (symbol === undefined) throw new Error(`${types} is not a module`);
  const lines = checker.getExportsOfModule(symbol).flatMap(declarationsOf).sort();
  expect(lines.length).toBeGreaterThan(0);
  const report = join(import.meta.dirname, 'api-reports', `${name.replaceAll('/', '.')}.txt`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(report);
});

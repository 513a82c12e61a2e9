/** The codes that exist, as the compiler sees them. */
import { resolve } from 'node:path';
import ts from 'typescript';
import { filesUnder } from '../files.js';

/** Names of unions or of classes, each with its codes in alphabetical order. */
export type Codes = ReadonlyMap<string, readonly string[]>;

/**
 * @returns `unions`: the exported type aliases whose names end in `Code`. `classes`: what `code` can be on each class
 * that extends another.
 */
export function readCodes(): { readonly unions: Codes; readonly classes: Codes } {
  const paths = filesUnder(resolve('src')).filter(
    (path) => /(?<!\.d)\.ts$/.test(path) && !path.includes('/schema/'),
  );
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true };
  const program = ts.createProgram(paths, options);
  const checker = program.getTypeChecker();
  const unions = new Map<string, string[]>();
  const classes = new Map<string, string[]>();
  for (const statement of paths.flatMap((path) => program.getSourceFile(path)?.statements ?? [])) {
    if (
      ts.isTypeAliasDeclaration(statement) &&
      isExported(statement) &&
      statement.name.text.endsWith('Code')
    ) {
      unions.set(statement.name.text, literals(checker.getTypeAtLocation(statement.name)));
    }
    if (ts.isClassDeclaration(statement) && statement.name && statement.heritageClauses) {
      const code = checker.getTypeAtLocation(statement).getProperty('code');
      if (code) {
        classes.set(statement.name.text, literals(checker.getTypeOfSymbolAtLocation(code, statement)));
      }
    }
  }
  return { unions, classes };
}

const isExported = (statement: ts.TypeAliasDeclaration): boolean =>
  statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

const literals = (type: ts.Type): string[] =>
  (type.isUnion() ? type.types : [type])
    .flatMap((member) => (member.isStringLiteral() ? [member.value] : []))
    .sort();

import { posix } from 'node:path';
import ts from 'typescript';
import { type Edge, listSourceFiles, readSource } from './source-files.js';

export interface Import {
  file: string;
  specifier: string;
  /** For relative imports: the imported source file. */
  target: string | undefined;
}

export const typescriptFiles = listSourceFiles('src').filter((path) => /\.tsx?$/.test(path));

const known = new Set(typescriptFiles);

/** Every import, re-export and dynamic import of src/, types included. */
export const imports: Import[] = typescriptFiles.flatMap((file) =>
  ts.preProcessFile(readSource(file), true, true).importedFiles.map(({ fileName: specifier }) => ({
    file,
    specifier,
    target: specifier.startsWith('.') ? sourceOf(posix.join(posix.dirname(file), specifier)) : undefined,
  })),
);

export const importEdges: Edge[] = imports.flatMap(({ file, target }) => (target === undefined ? [] : [{ from: file, to: target }]));

/** What is loaded together with a file: neither types nor what it imports when it runs. */
export function loadedWith(file: string): string[] {
  const source = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.ES2023, false);
  return source.statements.flatMap((statement) => {
    const from = (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) && statement.moduleSpecifier;
    if (!from || !ts.isStringLiteral(from) || !from.text.startsWith('.') || isOfTypes(statement)) return [];
    return [sourceOf(posix.join(posix.dirname(file), from.text))];
  });
}

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  return statement.importClause?.isTypeOnly ?? false;
}

/** What a compiled module's name stands for. */
function sourceOf(path: string): string {
  const tsx = path.replace(/\.js$/, '.tsx');
  return known.has(tsx) ? tsx : path.replace(/\.js$/, '.ts');
}

/** Names that a file exports. */
export function exportedNames(file: string): string[] {
  const source = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.ES2023, false);
  return source.statements.flatMap((statement) => {
    const exported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    if (!exported) {
      return [];
    }
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    }
    const named = statement as { name?: ts.Identifier };
    return named.name === undefined ? [] : [named.name.text];
  });
}

import { posix } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { type Edge, reachableFrom, readSource } from './source-files.js';
import { typescriptFiles } from './typescript-imports.js';

/** Each is a good part of a start's time, and nothing that every process needs. */
const heavy = /^(undici|ajv|puppeteer|tinyld|@aws-sdk|ssh2|basic-ftp|nodemailer|sherpa|ioredis|pg$)/;

/** What is loaded together with a file: its imports and re-exports of more than types, and none that come later by import(). */
function loadedWith(file: string): string[] {
  const source = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.ES2023, false);
  return source.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement);
    if (!isImport && !ts.isExportDeclaration(statement)) return [];
    const clause = isImport ? statement.importClause : statement;
    const names = isImport ? statement.importClause?.namedBindings : statement.exportClause;
    const hasDefault = isImport && statement.importClause?.name !== undefined;
    const named = names !== undefined && (ts.isNamedImports(names) || ts.isNamedExports(names)) ? names.elements : undefined;
    const isTypes = clause?.isTypeOnly || (!hasDefault && named !== undefined && named.length > 0 && [...named].every(({ isTypeOnly }) => isTypeOnly));
    const { moduleSpecifier } = statement;
    return isTypes || moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier) ? [] : [moduleSpecifier.text];
  });
}

const loads = new Map(typescriptFiles.map((file) => [file, loadedWith(file)]));
const edges: Edge[] = [...loads].flatMap(([from, specifiers]) =>
  specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from, to: posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts') })),
);

it.each(['src/main.ts', 'src/render-worker.ts'])('a start of %s waits for no library that only some of its work needs', (start) => {
  const files = [...reachableFrom(start, edges), start];
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => (loads.get(file) ?? []).filter((specifier) => heavy.test(specifier)).map((specifier) => `${file}: ${specifier}`))).toEqual([]);
});

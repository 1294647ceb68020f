import { dirname } from 'node:path';
import ts from 'typescript';

const STRICT: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  // TypeScript's own files are right.
  skipDefaultLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/**
 * What the compiler finds wrong in programs that are in no file.
 * @param files their texts by absolute paths, where they find what they import
 */
export function mistakesIn(files: Readonly<Record<string, string>>, further: ts.CompilerOptions): string[] {
  const options = { ...STRICT, ...further };
  const folders = new Set(Object.keys(files).map((path) => dirname(path)));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.directoryExists = (path) => folders.has(path) || ts.sys.directoryExists(path);
  host.fileExists = (path) => path in files || fileExists(path);
  host.readFile = (path) => files[path] ?? readFile(path);
  host.getSourceFile = (path, target, ...rest) =>
    path in files ? ts.createSourceFile(path, files[path]!, target) : getSourceFile(path, target, ...rest);
  const program = ts.createProgram(Object.keys(files), options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

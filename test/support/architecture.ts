import { posix } from 'node:path';
import ts from 'typescript';

/** Sources by path, such as `src/keys/token.ts`. */
export type SourceTree = ReadonlyMap<string, string>;

/** Who may import whom: a room to the rooms, folders or files (without ending) that it may reach beside itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  mcp: ['verify', 'finder', 'batch', 'lists', 'credits', 'presenting', 'keys', 'platform'],
  discovery: ['mcp', 'verify', 'finder', 'batch', 'lists', 'credits', 'presenting', 'keys', 'platform'],
  admin: ['keys', 'credits', 'batch', 'suppressions', 'webhooks', 'platform'],
  console: ['platform', 'keys'],
  'command-line': ['engine', 'verify', 'presenting', 'platform'],
  batch: ['verify', 'finder', 'suppressions', 'credits', 'webhooks', 'presenting', 'keys', 'platform'],
  lists: ['batch', 'keys', 'platform'],
  audit: ['keys', 'platform'],
  finder: ['engine/finder', 'engine/types', 'verify', 'suppressions', 'credits', 'keys', 'platform'],
  verify: ['engine', 'simulator', 'credits', 'suppressions', 'keys', 'platform'],
  suppressions: ['keys', 'platform'],
  webhooks: ['keys', 'platform'],
  credits: ['keys', 'platform'],
  presenting: ['engine/types', 'engine/finder', 'platform/errors', 'platform/config', 'keys/principal'],
  simulator: ['engine/ports', 'engine/types'],
  keys: ['platform'],
  platform: ['engine/ports', 'engine/dns/public-address'],
  engine: [],
};

/** A controller says which reply shape it answers with. */
const CONTROLLERS_MAY_IMPORT = ['presenting'];

/** Who builds engines; the others see their types, their words and the table of addresses that are not public. */
const ENGINE_BUILDERS = /^src\/(engine\/|simulator\/|verify\/(engine\.provider|node-ports)\.ts$)/;
const ENGINE_WORDS: readonly string[] = ['src/engine/types.ts', 'src/engine/dns/public-address.ts'];

const KNOWS_FASTIFY = /(\.(controller|guard|interceptor|filter)|^src\/http(-bodies)?)\.ts$/;
const KNOWS_BULL = /(\.processor\.ts|^src\/platform\/queue\/.*|^src\/app\.module\.ts)$/;
const KNOWS_MCP = /^src\/mcp\//;

const PACKAGES: readonly (readonly [name: RegExp, allowedIn: RegExp])[] = [
  [/^(fastify|@fastify\/(?!busboy$).*|@nestjs\/platform-fastify)$/, KNOWS_FASTIFY],
  [/^(bull|@nestjs\/bull)$/, KNOWS_BULL],
  [/^(@modelcontextprotocol\/.*|zod)$/, KNOWS_MCP],
];

/** Where streams of callers are made, and those of our own that no caller writes to. */
const CALLER_STREAMS = /^src\/platform\/http\/caller-(stream|form)\.ts$/;
const OWN_STREAMS =
  /^src\/(batch\/result-writers|platform\/database\/copy-in|keys\/in-flight\.interceptor|keys\/token)\.ts$/;
const STREAM_PACKAGES = /^(node:)?(stream|zlib)(\/.*)?$|^(@fastify\/)?(busboy|multipart)$/;
/** RxJS has a `pipe` too. */
const PIPES = /\.pipe\(/;
const KNOWS_RXJS = /\.interceptor\.ts$/;

const ENGINE_ADAPTERS = /^src\/engine\/(smtp\/socket|dns\/resolver)\.ts$/;
const ENGINE_PACKAGES = /^(node:(buffer|crypto|net|punycode|url|util|events)|tldts)$/;
const ENGINE_IMPURE =
  /\b(Date\.now|new Date\(\)|Math\.random|random(Bytes|UUID|Int)|performance\.|set(Timeout|Interval)\(|process\.|console\.|fetch\()/;

const FORBIDDEN_NAMES = /(^|[/.-])(utils?|helpers?|common|shared|base|manager)([/.-]|$)/;
const FILE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.ts$/;
const KEY_KIND_COMPARED =
  /\bkind\b\s*[!=]==?\s*['"](agent|live|test|admin)['"]|['"](agent|live|test|admin)['"]\s*[!=]==?\s*[\w.!?]*\bkind\b/;

const MOST_LINES = 300;
/** Tables that are read from top to bottom: data, whatever its length. */
const TABLES = /^src\/engine\/smtp\/(decision-table|phrases)\.ts$/;
const MOST_PARAMETERS = 6;

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/** Everything in the tree that breaks the house rules, a sentence each; empty when it keeps them. */
export function findViolations(tree: SourceTree): string[] {
  const violations: string[] = [];
  for (const [path, text] of tree) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const found = [
      ...importsOf(source).flatMap((imported) => importViolations(path, imported)),
      ...contentViolations(path, text, withoutComments(source)),
      ...constructorViolations(source),
    ];
    violations.push(...found.map((violation) => `${path}: ${violation}`));
  }
  return [...violations, ...findCycles(tree).map((cycle) => `import cycle: ${cycle.join(' -> ')}`)];
}

function importViolations(path: string, { specifier, typeOnly }: Import): string[] {
  if (!specifier.startsWith('.'))
    return [...packageViolations(path, specifier), ...streamViolations(path, specifier, typeOnly)];
  const target = resolveImport(path, specifier);
  const from = roomOf(path);
  const to = roomOf(target);
  const violations: string[] = [];
  // Files beside the rooms (`main`, `app.module`, `http` …) put everything together.
  if (from !== null && from !== to && !mayImport(path, from, target)) violations.push(`may not import ${target}`);
  if (from !== null && from !== to && /\.(entity|store|dto)\.ts$/.test(target))
    violations.push(`${target} is private to its room`);
  if (to === 'engine' && !ENGINE_WORDS.includes(target) && !typeOnly && !ENGINE_BUILDERS.test(path))
    violations.push(`may import only types from ${target}`);
  return violations;
}

function packageViolations(path: string, specifier: string): string[] {
  const violations = PACKAGES.filter(([name, allowedIn]) => name.test(specifier) && !allowedIn.test(path)).map(
    () => `may not know ${specifier}`,
  );
  if (roomOf(path) === 'engine' && !ENGINE_PACKAGES.test(specifier) && !ENGINE_ADAPTERS.test(path)) {
    violations.push(`the engine may not know ${specifier}`);
  }
  return violations;
}

/** Whoever cannot import streams cannot make one of a request. */
function streamViolations(path: string, specifier: string, typeOnly: boolean): string[] {
  if (typeOnly || !STREAM_PACKAGES.test(specifier) || CALLER_STREAMS.test(path) || OWN_STREAMS.test(path)) return [];
  return [`may not make streams with ${specifier}`];
}

function mayImport(path: string, from: string, target: string): boolean {
  const allowed = [...(MAY_IMPORT[from] ?? []), ...(path.endsWith('.controller.ts') ? CONTROLLERS_MAY_IMPORT : [])];
  const bare = target.replace(/^src\//, '').replace(/\.ts$/, '');
  return allowed.some((place) => bare === place || bare.startsWith(`${place}/`));
}

function contentViolations(path: string, text: string, code: string): string[] {
  const violations: string[] = [];
  const room = roomOf(path);
  const lines = text.trimEnd().split('\n').length;
  if (lines > MOST_LINES && !TABLES.test(path)) violations.push(`has ${lines} lines, at most ${MOST_LINES}`);
  if (FORBIDDEN_NAMES.test(path)) violations.push('has a name that says nothing');
  if (!FILE_NAME.test(posix.basename(path))) violations.push('is not named in kebab-case');
  if (posix.basename(path) === 'index.ts' && path !== 'src/engine/index.ts') violations.push('is a barrel');
  if (room !== null && !(room in MAY_IMPORT)) violations.push(`is in a room that the table does not know: ${room}`);
  if (/^export default\b/m.test(code)) violations.push('exports a default');
  if (/^(export )?(declare )?(const )?enum\b/m.test(code)) violations.push('declares an enum');
  if (/\bprocess\.env\b/.test(code) && path !== 'src/platform/config/env.ts') violations.push('reads process.env');
  if (room === 'engine' && !ENGINE_ADAPTERS.test(path) && ENGINE_IMPURE.test(code)) {
    violations.push(`is not pure: ${ENGINE_IMPURE.exec(code)?.[0]}`);
  }
  if (PIPES.test(code) && !OWN_STREAMS.test(path) && !KNOWS_RXJS.test(path)) violations.push('pipes a stream');
  if (room !== 'keys' && room !== 'presenting' && KEY_KIND_COMPARED.test(code))
    violations.push('compares the kind of a key');
  return violations;
}

function constructorViolations(source: ts.SourceFile): string[] {
  const violations: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node) && node.parameters.length > MOST_PARAMETERS) {
      violations.push(`has a constructor with ${node.parameters.length} parameters, at most ${MOST_PARAMETERS}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return violations;
}

/** Each cycle once. Imports of types are erased, so they cannot crash at load and do not count. */
export function findCycles(tree: SourceTree): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) cycles.push([...trail.slice(seenAt), path]);
    if (seenAt >= 0 || done.has(path)) return;
    const source = ts.createSourceFile(path, tree.get(path) ?? '', ts.ScriptTarget.Latest, true);
    for (const { specifier, typeOnly } of importsOf(source)) {
      const target = specifier.startsWith('.') && !typeOnly ? resolveImport(path, specifier) : null;
      if (target !== null && tree.has(target)) walk(target, [...trail, path]);
    }
    done.add(path);
  };
  for (const path of tree.keys()) walk(path, []);
  return cycles;
}

function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.push({ specifier: (node.moduleSpecifier as ts.StringLiteral).text, typeOnly: isTypeOnly(node) });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) found.push({ specifier: argument.text, typeOnly: false });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      found.push({ specifier: (node.argument.literal as ts.StringLiteral).text, typeOnly: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly || allTypes(node.exportClause);
  const clause = node.importClause;
  if (!clause) return false;
  return clause.isTypeOnly || (clause.name === undefined && allTypes(clause.namedBindings));
}

function allTypes(names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  return (
    names !== undefined &&
    (ts.isNamedImports(names) || ts.isNamedExports(names)) &&
    names.elements.every((name) => name.isTypeOnly)
  );
}

/** The code with string and template texts kept and comments blanked. */
function withoutComments(source: ts.SourceFile): string {
  const text = source.getFullText();
  const comments = new Set<string>();
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) comments.add(`${pos}:${end}`);
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  let code = text;
  for (const range of comments) {
    const [pos = 0, end = 0] = range.split(':').map(Number);
    code = code.slice(0, pos) + ' '.repeat(end - pos) + code.slice(end);
  }
  return code;
}

function resolveImport(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
}

/** The folder below `src`, or null for a file beside the rooms. */
function roomOf(path: string): string | null {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

import { posix } from 'node:path';
import ts from 'typescript';
import { WAY_TO_MODULES, namesakes, namingViolations, roomOf } from './naming-rules.js';

/** Sources by path, such as `src/keys/access/token.ts`, read once for all questions. */
export type SourceTree = ReadonlyMap<string, Source>;

interface Source {
  readonly syntax: ts.SourceFile;
  /** All of its nodes as they follow each other: each rule looks at them without a walk of its own. */
  readonly nodes: readonly ts.Node[];
  readonly imports: readonly Import[];
}

/** Who may import whom: a room to the rooms, folders or files (without ending) that it may reach beside itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: [
    'admin',
    'client',
    'batch/model/batch',
    'batch/formats/csv-records',
    'batch/formats/workbook-reader',
    'credits/credits-audit',
    'monitors/monitor-overview.service',
    'webhooks/delivery-state',
    'privacy/erasure-state',
    'keys',
    'engine',
    'mail-dns',
    'domains/fact-dns',
    'domains/domain-outside',
    'egress/egress-sources',
    'resolver/own-resolver',
    'resolver/resolver.module',
    'sources/watch',
    'verify',
    'presenting',
    'platform',
  ],
  mcp: ['verify', 'batch', 'lists', 'credits', 'presenting', 'idempotency', 'keys', 'platform'],
  console: [
    'discovery/documents.service',
    'discovery/send-document',
    'discovery/service-index',
    'discovery/discovery-http.module',
    'verify',
    'presenting',
    'keys',
    'platform',
  ],
  discovery: ['mcp', 'batch', 'presenting', 'keys', 'platform'],
  admin: [
    'monitors',
    'blacklists',
    'mail-dns',
    'operators',
    'opt-outs',
    'egress',
    'engine/ports',
    'placement/placement-administration.module',
    'placement/seeds',
    'resolver',
    'sources',
    'verify/ports/mail-providers-file',
    'verify/ports/lists-directory',
    'keys',
    'credits',
    'batch',
    'suppressions',
    'presenting/presenter',
    'privacy/erasure-receipts',
    'privacy/erasure-state',
    'privacy/erasure.reply',
    'privacy/privacy.module',
    'webhooks',
    'audit',
    'idempotency',
    'platform',
  ],
  lists: ['batch', 'credits', 'webhooks', 'events', 'keys', 'platform'],
  privacy: [
    'reports',
    'blacklists',
    'domains',
    'monitors',
    'placement/placement-test-history.service',
    'placement/test-reply',
    'placement/placement.module',
    'batch',
    'lists',
    'reuse',
    'suppressions',
    'webhooks',
    'events',
    'credits',
    'audit',
    'presenting',
    'idempotency',
    'keys',
    'platform',
  ],
  batch: [
    'egress',
    'engine/types',
    'engine/syntax/address',
    'engine/judge/denied-domain',
    'resolver/reported-denials',
    'reuse',
    'verify',
    'finder',
    'suppressions',
    'credits',
    'webhooks',
    'events',
    'presenting',
    'idempotency',
    'keys',
    'platform',
  ],
  finder: [
    'engine/finder',
    'engine/types',
    'verify',
    'suppressions',
    'credits',
    'presenting',
    'idempotency',
    'keys',
    'platform',
  ],
  verify: [
    'engine',
    'mail-dns',
    'egress',
    'simulator',
    'operators',
    'opt-outs',
    'sources',
    'credits',
    'reuse',
    'suppressions',
    'presenting/presenter',
    'idempotency',
    'resolver',
    'keys',
    'platform',
  ],
  // One judgement of the resolver for all who ask it.
  resolver: ['mail-dns', 'platform'],
  corrections: ['resolver', 'batch', 'reuse', 'credits', 'webhooks', 'events', 'platform'],
  reuse: ['engine/types', 'keys', 'platform'],
  egress: ['engine/ports', 'platform'],
  operators: ['platform'],
  domains: [
    'mail-dns',
    'engine/domain',
    'engine/ports',
    'engine/smtp/connect/port25',
    'verify/ports/node-ports',
    'egress',
    'opt-outs',
    'simulator',
    'credits',
    'idempotency',
    'resolver',
    'keys',
    'platform',
  ],
  reports: [
    'domains/fact-dns',
    'mail-dns',
    'engine/syntax/domain',
    'events',
    'inbound',
    'placement/report/report-dns',
    'placement/report/signatures',
    'webhooks/webhook-queue',
    'idempotency',
    'resolver',
    'keys',
    'platform',
  ],
  monitors: [
    'blacklists',
    'domains',
    'mail-dns',
    'engine/domain',
    'verify/ports/mail-providers-file',
    'webhooks/webhook-queue',
    'events',
    'credits',
    'idempotency',
    'keys',
    'platform',
  ],
  inbound: ['keys/scope/networks', 'platform'],
  placement: [
    'blacklists',
    'domains/finding.reply',
    'domains/fact-dns',
    'mail-dns',
    'engine/domain',
    'inbound',
    'simulator',
    'webhooks/webhook-queue',
    'credits',
    'events',
    'idempotency',
    'resolver',
    'keys',
    'platform',
  ],
  blacklists: ['mail-dns', 'resolver', 'simulator', 'credits', 'idempotency', 'keys', 'platform'],
  sources: ['blacklists', 'egress', 'engine', 'mail-dns', 'resolver', 'platform'],
  'opt-outs': ['egress', 'engine/syntax/domain', 'mail-dns', 'keys/scope/networks', 'platform'],
  suppressions: ['idempotency', 'keys', 'platform'],
  webhooks: ['mail-dns', 'resolver', 'events', 'idempotency', 'keys', 'platform'],
  credits: ['events', 'presenting/presenter', 'idempotency', 'keys', 'platform'],
  audit: ['keys', 'platform'],
  presenting: [
    'engine/judge/denied-domain',
    'engine/types',
    'engine/finder',
    'mail-dns/untrusted',
    'platform/config',
    'platform/http/around.interceptor',
    'platform/http/reply',
    'keys/access/principal',
  ],
  simulator: ['mail-dns', 'engine/domain', 'engine/ports', 'engine/types'],
  keys: ['idempotency', 'platform'],
  idempotency: ['platform'],
  events: ['platform/config/config-file', 'platform/database', 'platform/erased-address'],
  platform: [],
  // It runs in browsers too, and knows the service by its interface only.
  client: [],
  engine: ['mail-dns'],
  'mail-dns': [],
  lib: [],
};

/** Rooms that take in what another room's door takes: the command line, and lists, whose rows are asked for like their batch's. */
const SECOND_DOORS: Readonly<Record<string, readonly string[]>> = {
  cli: ['src/admin/bodies/', 'src/keys/', 'src/suppressions/'],
  admin: ['src/audit/', 'src/keys/', 'src/suppressions/'],
  lists: ['src/batch/results/'],
};

/** Primitives that know nobody: for whoever waits, limits, remembers, or reads what somebody wrote. */
const EVERYBODY_MAY_IMPORT = ['lib'];
/** No clock, timer, chance or I/O but what is handed in. */
const PURE_ROOMS: readonly (string | null)[] = ['engine', 'mail-dns', 'lib'];

/** A controller says which reply shape it answers with. */
const CONTROLLERS_MAY_IMPORT = ['presenting'];

/** Who builds engines; the others see their types and their words. */
const ENGINE_BUILDERS =
  /^src\/(engine\/|simulator\/|verify\/(open-engine|(simulated-)?engine\.provider|ports\/(node-ports|socks5-dialer|mail-providers-file|decision-table-file))\.ts$)/;
const ENGINE_WORDS: readonly string[] = [
  'src/engine/types.ts',
  'src/engine/judge/denied-domain.ts',
  'src/engine/syntax/address.ts',
  'src/engine/syntax/domain.ts',
];

/** What the DNS or a mail host says, read by itself: nothing of it builds an engine. */
const ENGINE_TOOLS = /^src\/engine\/(domain\/|smtp\/(reply\/evidence-text|connect\/(warm-up|port25)))/;

const KNOWS_FASTIFY =
  /(\.(controller|guard|interceptor|filter)|^src\/http|^src\/platform\/http\/(receive-bodies|route-methods)|^src\/discovery\/(openapi\/deprecations|send-document))\.ts$/;
const KNOWS_BULL = /(\.processor\.ts|^src\/platform\/queue\/.*|^src\/app\.module\.ts)$/;
const KNOWS_MCP = /^src\/mcp\//;

const PACKAGES: readonly (readonly [name: RegExp, allowedIn: RegExp])[] = [
  [/^(fastify|@fastify\/(?!busboy$).*|@nestjs\/platform-fastify)$/, KNOWS_FASTIFY],
  [/^(bull|@nestjs\/bull)$/, KNOWS_BULL],
  [/^prom-client$/, /^src\/platform\/metrics\//],
  [/^imapflow$/, /^src\/deliverability\/placement\/seeds\/(imap-session|mailbox-access)\.ts$/],
  [/^(@modelcontextprotocol\/.*|zod)$/, KNOWS_MCP],
];

/** Where streams of callers are made, and those of our own that no caller writes to. */
const CALLER_STREAMS = /^src\/platform\/http\/caller-(stream|form)\.ts$/;
const OWN_STREAMS =
  /^src\/(deliverability\/domains\/bimi-fetcher|batch\/results\/(downloads\.service|result-archives|result-writers)|batch\/workbook\/workbook-part|platform\/http\/table-file|platform\/database\/copy-in|keys\/limits\/rate-limit\.guard|keys\/access\/token|deliverability\/placement\/placement-test-history\.service|deliverability\/placement\/report\/signatures|deliverability\/reports\/reader\/unpack)\.ts$/;
const STREAM_PACKAGES = /^(node:)?(stream|zlib)(\/.*)?$|^(@fastify\/)?(busboy|multipart)$/;
/** RxJS has a `pipe` too. */
const PIPES = /\.pipe\(/;
const KNOWS_RXJS = /\.interceptor\.ts$/;
/** `IN (SELECT … FOR UPDATE …)`, with what stands in parentheses within: PostgreSQL may plan to select, and to lock, again for each row. */
const LOCKED_AGAIN = /\bIN \(\s*SELECT\b(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\bFOR (?:NO KEY )?UPDATE\b/;

const ENGINE_ADAPTERS = /^src\/(engine\/smtp\/connect\/(socket|tls-terms)|mail-dns\/resolver)\.ts$/;
const ENGINE_PACKAGES = /^(node:(buffer|crypto|net|punycode|url|util|events)|tldts)$/;
const IMPURE =
  /\b(Date\.now|new Date\(\)|Math\.random|random(Bytes|UUID|Int)|performance\.|set(Timeout|Interval)\(|AbortSignal\.timeout|process\.|console\.|fetch\()/;

const FORBIDDEN_NAMES = /(^|[/.-])(utils?|helpers?|common|shared|base|manager)([/.-]|$)/;
const FILE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.tsx?$/;

/** What runs in a browser: it knows the service by its interface, as every other client does. */
const WEB = 'src/console/web/';
/** What the service and the console must decide alike. */
const WEB_SHARES: readonly string[] = ['src/lib/address-column.ts'];
const WEB_PACKAGES = /^(preact(\/hooks)?|preact-iso(\/router)?|@preact\/signals)$/;
/** The client goes where there is no Node. */
const CLIENT_PACKAGES = /^(openapi-fetch|eventsource-parser)$/;
const TABLES = /^config\/[a-z-]+\.json$/;
const KEY_KINDS: readonly string[] = ['agent', 'live', 'test', 'admin'];

const MAX_LINES = 400;
/** Of a file with a single importer. */
const MIN_LINES = 30;
const MAX_PARAMETERS = 6;

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** When it is needed, not when its file is loaded. */
  readonly late: boolean;
}

/** @param files texts by path */
export function readSources(files: ReadonlyMap<string, string>): SourceTree {
  // No rule looks into comments.
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const tree = new Map<string, Source>();
  for (const [path, text] of files) {
    const syntax = ts.createSourceFile(path, text, options, true);
    const nodes = nodesOf(syntax);
    tree.set(path, { syntax, nodes, imports: importsOf(nodes) });
  }
  return tree;
}

function nodesOf(syntax: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return nodes;
}

/** Everything in the tree that breaks the house rules, a sentence each; empty when it keeps them. */
export function findViolations(tree: SourceTree): string[] {
  const violations: string[] = [];
  const sources = new Map<string, ts.SourceFile>();
  for (const [path, { syntax, nodes, imports }] of tree) {
    const code = withoutComments(syntax, nodes);
    sources.set(path, syntax);
    const found = [
      ...imports.flatMap((imported) => importViolations(path, imported)),
      ...contentViolations(path, syntax.text, code),
      ...constructorViolations(nodes),
      ...keyKindViolations(path, nodes),
      ...namingViolations(syntax, nodes, code),
    ];
    violations.push(...found.map((violation) => `${path}: ${violation}`));
  }
  const cycles = findCycles(tree).map((cycle) => `import cycle: ${cycle.join(' -> ')}`);
  return [...violations, ...cycles, ...namesakes(sources)];
}

/** Entries of the table that no file needs: an arrow nobody uses is an arrow that anybody may begin to use. */
export function unusedArrows(tree: SourceTree): string[] {
  const used = new Set<string>();
  for (const [path, { imports }] of tree) {
    const from = roomOf(path);
    for (const { specifier } of imports.filter((imported) => imported.specifier.startsWith('.')))
      for (const place of MAY_IMPORT[from ?? ''] ?? [])
        if (isIn(place, resolveImport(path, specifier))) used.add(`${from} -> ${place}`);
  }
  return Object.entries(MAY_IMPORT)
    .flatMap(([from, places]) => places.map((place) => `${from} -> ${place}`))
    .filter((arrow) => !used.has(arrow));
}

/** @param place a room, folder or file without ending */
function isIn(place: string, target: string): boolean {
  const bare = target.replace(WAY_TO_MODULES, '').replace(/\.ts$/, '');
  return bare === place || bare.startsWith(`${place}/`);
}

function importViolations(path: string, { specifier, typeOnly }: Import): string[] {
  if (path.startsWith(WEB)) return webViolations(path, specifier);
  if (!specifier.startsWith('.'))
    return [...packageViolations(path, specifier), ...streamViolations(path, specifier, typeOnly)];
  const target = resolveImport(path, specifier);
  // The names of a table's rows, for the compiler; the table itself is read and checked at start.
  if (typeOnly && TABLES.test(target)) return [];
  const from = roomOf(path);
  const to = roomOf(target);
  const violations: string[] = [];
  // Files beside the rooms (`main`, `app.module`, `http` …) put everything together.
  if (from !== null && from !== to && !mayImport(path, from, target)) violations.push(`may not import ${target}`);
  const isSecondDoor = target.endsWith('.dto.ts') && SECOND_DOORS[from ?? '']?.some((door) => target.startsWith(door));
  if (from !== null && from !== to && /\.(entity|store|dto)\.ts$/.test(target) && !isSecondDoor)
    violations.push(`${target} is private to its room`);
  if (
    to === 'engine' &&
    !ENGINE_WORDS.includes(target) &&
    !ENGINE_TOOLS.test(target) &&
    !typeOnly &&
    !ENGINE_BUILDERS.test(path)
  )
    violations.push(`may import only types from ${target}`);
  return violations;
}

function webViolations(path: string, specifier: string): string[] {
  if (!specifier.startsWith('.')) return WEB_PACKAGES.test(specifier) ? [] : [`may not know ${specifier}`];
  const target = resolveImport(path, specifier);
  const isShared = WEB_SHARES.includes(target) || isIn('client', target) || TABLES.test(target);
  return target.startsWith(WEB) || isShared ? [] : [`may not import ${target}`];
}

function packageViolations(path: string, specifier: string): string[] {
  const violations = PACKAGES.filter(([name, allowedIn]) => name.test(specifier) && !allowedIn.test(path)).map(
    () => `may not know ${specifier}`,
  );
  if (
    ['engine', 'mail-dns'].includes(roomOf(path) ?? '') &&
    !ENGINE_PACKAGES.test(specifier) &&
    !ENGINE_ADAPTERS.test(path)
  ) {
    violations.push(`the engine may not know ${specifier}`);
  }
  if (roomOf(path) === 'client' && !CLIENT_PACKAGES.test(specifier))
    violations.push(`the client may not know ${specifier}`);
  if (EVERYBODY_MAY_IMPORT.includes(roomOf(path) ?? '')) violations.push(`${roomOf(path)} may not know ${specifier}`);
  return violations;
}

/** Whoever cannot import streams cannot make one of a request. */
function streamViolations(path: string, specifier: string, typeOnly: boolean): string[] {
  if (typeOnly || !STREAM_PACKAGES.test(specifier) || CALLER_STREAMS.test(path) || OWN_STREAMS.test(path)) return [];
  return [`may not make streams with ${specifier}`];
}

function mayImport(path: string, from: string, target: string): boolean {
  const allowed = [
    ...EVERYBODY_MAY_IMPORT,
    ...(MAY_IMPORT[from] ?? []),
    ...(path.endsWith('.controller.ts') ? CONTROLLERS_MAY_IMPORT : []),
  ];
  return allowed.some((place) => isIn(place, target));
}

function contentViolations(path: string, text: string, code: string): string[] {
  const violations: string[] = [];
  const room = roomOf(path);
  const lines = linesOf(text);
  if (lines > MAX_LINES) violations.push(`has ${lines} lines, at most ${MAX_LINES}`);
  if (FORBIDDEN_NAMES.test(path)) violations.push('has a name that says nothing');
  if (!FILE_NAME.test(posix.basename(path))) violations.push('is not named in kebab-case');
  if (isExtraModule(path, room, code))
    violations.push(`is no module of its room: it has ${MODULES.map((part) => `${room}${part}.module`).join(', ')}`);
  if (posix.basename(path) === 'index.ts') violations.push('is a barrel');
  if (room !== null && !(room in MAY_IMPORT)) violations.push(`is in a room that the table does not know: ${room}`);
  if (/^export default\b/m.test(code)) violations.push('exports a default');
  if (/^(export )?(declare )?(const )?enum\b/m.test(code)) violations.push('declares an enum');
  if (/\bprocess\.env\b/.test(code) && path !== 'src/platform/config/env.ts') violations.push('reads process.env');
  if (PURE_ROOMS.includes(room) && !ENGINE_ADAPTERS.test(path) && IMPURE.test(code)) {
    violations.push(`is not pure: ${IMPURE.exec(code)?.[0]}`);
  }
  if (LOCKED_AGAIN.test(code))
    violations.push('locks rows within IN, perhaps again for each row: say = ANY (ARRAY(…))');
  if (/\bURL\.canParse\b/.test(code)) violations.push('asks URL.canParse, which lies once it is compiled: say readUrl');
  if (PIPES.test(code) && !OWN_STREAMS.test(path) && !KNOWS_RXJS.test(path)) violations.push('pipes a stream');
  return violations;
}

/** The modules of a room: its services, what serves HTTP, what works, and what commands of administrators need. */
const MODULES = ['', '-http', '-worker', '-administration'] as const;

/** Platform has a module for each technique. */
function isExtraModule(path: string, room: string | null, code: string): boolean {
  if (room === null || room === 'platform') return false;
  if (!path.endsWith('.module.ts')) return /^@Module\(/m.test(code);
  return !MODULES.some((part) => path.replace(WAY_TO_MODULES, '') === `${room}/${room}${part}.module.ts`);
}

function constructorViolations(nodes: readonly ts.Node[]): string[] {
  return nodes
    .filter((node) => ts.isConstructorDeclaration(node))
    .filter(({ parameters }) => parameters.length > MAX_PARAMETERS)
    .map(({ parameters }) => `has a constructor with ${parameters.length} parameters, at most ${MAX_PARAMETERS}`);
}

function keyKindViolations(path: string, nodes: readonly ts.Node[]): string[] {
  if (['keys', 'presenting'].includes(roomOf(path) ?? '')) return [];
  return nodes.some(comparesKeyKind) ? ['compares the kind of a key'] : [];
}

function comparesKeyKind(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && isEquality(node.operatorToken.kind))
    return [node.left, node.right].some(isKind) && [node.left, node.right].some(isKeyKind);
  if (!ts.isSwitchStatement(node) || !isKind(node.expression)) return false;
  return node.caseBlock.clauses.some((clause) => ts.isCaseClause(clause) && isKeyKind(clause.expression));
}

const isEquality = (operator: ts.SyntaxKind): boolean =>
  operator === ts.SyntaxKind.EqualsEqualsEqualsToken || operator === ts.SyntaxKind.ExclamationEqualsEqualsToken;

const isKind = (node: ts.Expression): boolean => /\bkind!?$/.test(node.getText());

const isKeyKind = (node: ts.Expression): boolean => ts.isStringLiteral(node) && KEY_KINDS.includes(node.text);

/** The packages that are loaded with a file, by itself and by what it imports. */
export function packagesLoadedWith(tree: SourceTree, entry: string): string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const walk = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const imports = tree.get(path)?.imports ?? [];
    for (const { specifier } of imports.filter(({ typeOnly, late }) => !typeOnly && !late)) {
      if (specifier.startsWith('.')) walk(resolveImport(path, specifier));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  };
  walk(entry);
  return [...packages].toSorted();
}

/** Files that import each other, as types too, so that neither can be read first; each cycle once. */
function findCycles(tree: SourceTree): string[][] {
  return cyclesIn([...tree.keys()], (path) => importedBy(tree, path));
}

/** The files of the tree that a file imports, as types too. */
function importedBy(tree: SourceTree, path: string): string[] {
  return (tree.get(path)?.imports ?? [])
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => resolveImport(path, specifier))
    .map((target) => (tree.has(target) ? target : target.replace(/\.ts$/, '.tsx')))
    .filter((target) => tree.has(target));
}

/** Rooms that the table lets reach each other, in however many steps and as types too, so that neither can be read first. */
export function cyclesOfRooms(mayImport: Readonly<Record<string, readonly string[]>> = MAY_IMPORT): string[] {
  const cycles = cyclesIn(Object.keys(mayImport), (room) => (mayImport[room] ?? []).map((part) => part.split('/')[0]!));
  return cycles.map((cycle) => cycle.join(' -> '));
}

/** Folders whose files import each other, in however many steps and as types too; modules put parts together and do not count. */
export function cyclesOfFolders(tree: SourceTree): string[] {
  const next = new Map<string, Set<string>>();
  for (const path of tree.keys()) {
    const folder = posix.dirname(path);
    const known = next.get(folder) ?? new Set();
    next.set(folder, known);
    if (path.endsWith('module.ts')) continue;
    for (const target of importedBy(tree, path)) if (posix.dirname(target) !== folder) known.add(posix.dirname(target));
  }
  return cyclesIn([...next.keys()], (folder) => [...(next.get(folder) ?? [])]).map((cycle) => cycle.join(' -> '));
}

/** Files of few lines that one other file needs: they belong into it. What is loaded late cannot, or it would be loaded at once. */
export function lonelyFiles(tree: SourceTree): string[] {
  const importers = new Map<string, Set<string>>();
  const late = new Set<string>();
  for (const [path, { imports }] of tree) {
    for (const target of importedBy(tree, path)) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    for (const one of imports) if (one.late) late.add(resolveImport(path, one.specifier));
  }
  return [...tree]
    .filter(([path]) => !/\.(module|entity)\.ts$/.test(path) && !late.has(path))
    .filter(([, { syntax }]) => linesOf(syntax.text) < MIN_LINES)
    .flatMap(([path]) => {
      const [only, ...others] = importers.get(path) ?? [];
      return only === undefined || others.length > 0 ? [] : [`${path}: belongs into ${only}`];
    });
}

function cyclesIn(nodes: readonly string[], nextOf: (node: string) => readonly string[]): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const walk = (node: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(node);
    if (seenAt >= 0) cycles.push([...trail.slice(seenAt), node]);
    if (seenAt >= 0 || done.has(node)) return;
    for (const next of nextOf(node)) walk(next, [...trail, node]);
    done.add(node);
  };
  for (const node of nodes) walk(node, []);
  return cycles;
}

function importsOf(nodes: readonly ts.Node[]): Import[] {
  const found: Import[] = [];
  for (const node of nodes) {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.push({
        specifier: (node.moduleSpecifier as ts.StringLiteral).text,
        typeOnly: isTypeOnly(node),
        late: false,
      });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument))
        found.push({ specifier: argument.text, typeOnly: false, late: true });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      found.push({ specifier: (node.argument.literal as ts.StringLiteral).text, typeOnly: true, late: false });
    }
  }
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
function withoutComments({ text }: ts.SourceFile, nodes: readonly ts.Node[]): string {
  let code = '';
  let end = 0;
  // Between what is no code, whatever begins as a comment is one.
  for (const node of nodes.filter(isNoCode)) {
    const start = node.getStart();
    code += blanked(text.slice(end, start)) + text.slice(start, node.end);
    end = node.end;
  }
  return code + blanked(text.slice(end));
}

/** Strings, pieces of templates, patterns and the words of JSX. */
const isNoCode = ({ kind }: ts.Node): boolean =>
  kind >= ts.SyntaxKind.FirstLiteralToken && kind <= ts.SyntaxKind.LastTemplateToken;

const blanked = (code: string): string =>
  code.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, (comment) => ' '.repeat(comment.length));

function resolveImport(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
}

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

/** The folders below `src`; of a group, those in it. */
export function featureFolders(paths: readonly string[]): string[] {
  const folders = paths
    .filter((path) => roomOf(path) !== null)
    .map((path) => `${WAY_TO_MODULES.exec(path)![0]}${roomOf(path)}`);
  return [...new Set(folders)].map((folder) => folder.slice('src/'.length)).toSorted();
}

import { posix } from 'node:path';
import ts from 'typescript';

/** Folders of `src` that hold feature modules of one subject, and nothing else: who looks for monitors looks in deliverability. */
export const WAY_TO_MODULES = /^src\/(?:(?:deliverability|sending)\/)?/;

/** The folder below `src` or below a group of it, or null for a file beside the rooms. */
export function roomOf(path: string): string | null {
  return /^([^/]+)\//.exec(path.replace(WAY_TO_MODULES, ''))?.[1] ?? null;
}

const MAX_FILES = 24;

/** Methods of collections that change them. */
const MUTATORS = /^(set|add|delete|clear|push|pop|shift|unshift|splice)$/;

/** Names that say the same as the field's word, which then is the only one. */
const FOREIGN_NAME = /\b(MOST|LEAST)_[A-Z0-9_]+|\b[A-Z][A-Z0-9_]*_AT_ONCE\b/;

/** Words that say that somebody acts, and not what it is about; a name of nothing but "words" says as little. */
const VAGUE_NAME = /^words?$|(^|_)(look|looks|looked|asked|kept|told|worlds?|wanted)(_|$)(?!alike)/i;

/** What one file breaks of the rules about names; `source` has its parents set, and `nodes` are all of its own. */
export function namingViolations(source: ts.SourceFile, nodes: readonly ts.Node[], code: string): string[] {
  const violations: string[] = [];
  const foreign = FOREIGN_NAME.exec(code)?.[0];
  if (foreign !== undefined) violations.push(`names ${foreign}: say MAX_, MIN_, …_CONCURRENCY or …_PAGE_SIZE`);
  if (/contract,? section|contract §/i.test(source.getFullText())) {
    violations.push('cites a section of the contract: link the page under docs/');
  }
  for (const name of topLevelNames(source)) {
    if (VAGUE_NAME.test(snake(name)))
      violations.push(`${name} has a word of no meaning: say what it is, in the field's words`);
  }
  for (const node of nodes) {
    const name = questionOf(node);
    if (name !== null && assignsToThis(node)) violations.push(`${name} asks, and changes something`);
  }
  return violations;
}

/** Folders with more files than somebody sees at a glance. `paths` has the specs too: they lie there like all others. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const files = new Map<string, number>();
  for (const path of paths) files.set(posix.dirname(path), (files.get(posix.dirname(path)) ?? 0) + 1);
  return [...files]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder}: has ${count} files, at most ${MAX_FILES}`);
}

/** Classes and exported functions that a room has twice: who searches for one finds the other. */
export function namesakes(sources: ReadonlyMap<string, ts.SourceFile>): string[] {
  const owners = new Map<string, string[]>();
  for (const [path, source] of sources) {
    const room = roomOf(path);
    if (room === null) continue;
    for (const name of publicNames(source))
      owners.set(`${room} ${name}`, [...(owners.get(`${room} ${name}`) ?? []), path]);
  }
  return [...owners]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name.split(' ')[1]} is in ${paths.join(' and in ')}`);
}

function publicNames(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (ts.isClassDeclaration(statement) && statement.name) return [statement.name.text];
    return ts.isFunctionDeclaration(statement) && statement.name && isExported === true ? [statement.name.text] : [];
  });
}

/** What a file declares outside all functions; a reply's name is its schema's in the OpenAPI documents. */
function topLevelNames(source: ts.SourceFile): string[] {
  const names = source.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement)) return [ts.getNameOfDeclaration(statement as ts.DeclarationStatement)];
    return statement.declarationList.declarations.map(({ name }) => name);
  });
  return names.flatMap((name) => (name && ts.isIdentifier(name) && !name.text.endsWith('Reply') ? [name.text] : []));
}

const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');

/** The name of a getter, or of a method or function that begins with `is` or `has`. */
function questionOf(node: ts.Node): string | null {
  if (ts.isGetAccessor(node)) return node.name.getText();
  const isArrow =
    ts.isPropertyDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer);
  if (!isArrow && !ts.isMethodDeclaration(node) && !ts.isFunctionDeclaration(node)) return null;
  const name = node.name?.getText() ?? '';
  return /^#?(is|has)[A-Z]/.test(name) ? name : null;
}

function assignsToThis(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind) && isOfThis(node.left)) return true;
  if (
    (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) &&
    isStep(node.operator) &&
    isOfThis(node.operand)
  )
    return true;
  if (ts.isDeleteExpression(node) && isOfThis(node.expression)) return true;
  if (ts.isCallExpression(node) && isChange(node.expression)) return true;
  return ts.forEachChild(node, (child) => assignsToThis(child) || undefined) ?? false;
}

/** A call such as `this.seen.add(…)`. */
const isChange = (callee: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(callee) && MUTATORS.test(callee.name.text) && isOfThis(callee.expression);

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const isStep = (operator: ts.PrefixUnaryOperator): boolean =>
  operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;

const isOfThis = (node: ts.Node): boolean =>
  node.kind === ts.SyntaxKind.ThisKeyword ||
  ((ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isNonNullExpression(node)) &&
    isOfThis(node.expression));

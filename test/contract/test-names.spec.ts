import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** How a sentence begins that has a subject of its own: with an article, a number, a name, a quotation or a value of a table. */
const SUBJECT =
  /^(?:(?:an?|the|no|nobody|nothing|somebody|every|each|all|many|none|one|two|three|ten|such|neither|there|what|whoever|more)\b|["'`%$/\p{Lu}\d_])/u;

/** The names of tests that are a sentence only behind the name of their `describe`. */
function leaningNames(text: string): string[] {
  const leaning: string[] = [];
  const visit = (node: ts.Node, titles: readonly string[]): void => {
    if (!ts.isCallExpression(node)) return ts.forEachChild(node, (child) => visit(child, titles));
    const [title] = node.arguments;
    const name = calledBy(node.expression);
    if (name === 'describe' && title !== undefined) {
      const own = ts.isStringLiteralLike(title) ? title.text : '';
      return node.arguments.forEach((argument) => visit(argument, [...titles, own]));
    }
    if (name === 'it' && node.arguments.length > 1 && ts.isStringLiteralLike(title!)) {
      const repeats = title.text.startsWith(titles.join(' '));
      if (titles.length > 0 && !SUBJECT.test(title.text) && !repeats) leaning.push(title.text);
    }
    ts.forEachChild(node, (child) => visit(child, titles));
  };
  visit(ts.createSourceFile('a.spec.ts', text, ts.ScriptTarget.Latest), []);
  return leaning;
}

/** Of `it('…')`, `it.each(table)('…')`, `describe.each(table)('…')`. */
function calledBy(expression: ts.Expression): string | null {
  if (ts.isIdentifier(expression)) return expression.text;
  const isWrapped = ts.isCallExpression(expression) || ts.isPropertyAccessExpression(expression);
  return isWrapped ? calledBy(expression.expression) : null;
}

it('a test is named by a sentence that says its promise without the name of its describe', () => {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.spec.ts'))
      .map((file) => join(ROOT, folder, file)),
  );
  expect(files.length).toBeGreaterThan(300);
  const leaning = files.flatMap((file) => leaningNames(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`));
  expect(leaning).toEqual([]);
});

it('a name that leans on its describe is found, and one that repeats it or has a subject of its own is not', () => {
  const inKey = (test: string) => leaningNames(`describe('a key', () => { ${test} });`);
  for (const begins of ['it', 'it.skip', 'it.each([1])'])
    expect(inKey(`${begins}('is refused', () => {});`)).toEqual(['is refused']);
  expect(inKey(`describe('of an agent', () => { it('is refused', () => {}); });`)).toEqual(['is refused']);
  expect(inKey(`it('a key is refused', () => {});`)).toEqual([]);
  expect(inKey(`it('GET /credits is refused', () => {});`)).toEqual([]);
  expect(leaningNames(`describe.each([1])('%s', () => { it('is refused', () => {}); });`)).toEqual(['is refused']);
});

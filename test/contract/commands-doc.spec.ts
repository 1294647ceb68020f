import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/admin/program.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
const program = buildProgram({ ask: async () => {}, onDatabase: async () => {} });

/** Commands as they are typed after `admin`, from code in a page. */
function commandsIn(page: string): string[] {
  const typed = [...read(page).matchAll(/(?:npm run (?:--silent )?admin --|mailsonde(?:\.js)? admin) ([^`\n|#<>]*)/g)];
  return typed.map(([, command]) => command!.trim()).filter((command) => command !== '');
}

/** The right column of a table has them without what stands before them. */
function commandsInTables(page: string): string[] {
  const cells = read(page)
    .split('\n')
    .flatMap((line) => (/^\| *(?:`[A-Z]|\|)/.test(line) ? [line.split('|').at(-2)!] : []));
  return cells.flatMap((cell) => [...cell.matchAll(/`([a-z][^`]*)`/g)].map(([, command]) => command!));
}

/** @returns what the command line does not know of it; empty: it knows all */
function unknownOf(typed: string): string[] {
  const words = typed.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  let command: Command = program;
  let number = 0;
  for (; number < words.length; number++) {
    const inner: Command | undefined = command.commands.find((one) => one.name() === words[number]);
    if (inner === undefined) break;
    command = inner;
  }
  if (command === program && words[0]?.startsWith('--') !== true) return [words[0] ?? 'nothing'];
  const known = new Set([program, command].flatMap(({ options }) => options.map(({ long }) => long)));
  const left = words.slice(number);
  const options = left.filter((word) => word.startsWith('--') && word !== '--help');
  const isOfNone = command.commands.length > 0 && left[0] !== undefined && !left[0].startsWith('-');
  return [...options.filter((option) => !known.has(option.replace(/=.*/, ''))), ...(isOfNone ? [left[0]!] : [])];
}

/** Such as `egress list`. */
function leavesOf(command: Command, before: readonly string[] = []): string[] {
  return command.commands.flatMap((inner) => {
    const words = [...before, inner.name()];
    return inner.commands.length === 0 ? [words.join(' ')] : leavesOf(inner, words);
  });
}

describe('a page', () => {
  it.each(PAGES)('%s names scripts that there are', (page) => {
    const named = [...read(page).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)(?!\S*\*)/g)].map(([, name]) => name!);
    expect(named.filter((name) => scripts[name] === undefined && !name.endsWith(':'))).toEqual([]);
  });

  it.each(PAGES)('%s tells commands of administrators as they are typed', (page) => {
    const wrong = commandsIn(page).map((typed) => [typed, unknownOf(typed)] as const);
    expect(wrong.filter(([, unknown]) => unknown.length > 0)).toEqual([]);
  });

  it.each([
    ['migrate', 'src/cli/migrate.ts'],
    ['doctor', 'src/cli/doctor.ts'],
  ])('a page tells options of %s that it has', (name, source) => {
    const typed = PAGES.flatMap((page) => [
      ...read(page).matchAll(new RegExp(`npm run (?:--silent )?${name} -- ([^\`\\n|]*)`, 'g')),
    ]);
    const options = typed.flatMap(([, text]) => text!.match(/--[a-z\d-]+/g) ?? []);
    expect(options.length).toBeGreaterThan(0);
    const has = read(source) + read('src/cli/terminal/command-line.ts');
    expect(options.filter((option) => option !== '--help' && !has.includes(`'${option}`))).toEqual([]);
  });
});

it('the table of administration has each command of administrators, and no other', () => {
  const told = commandsInTables('docs/administration.md');
  expect(told.length).toBeGreaterThan(40);
  const wrong = told.map((typed) => [typed, unknownOf(typed)] as const);
  expect(wrong.filter(([, unknown]) => unknown.length > 0)).toEqual([]);
  const pages = PAGES.map(read).join('\n');
  expect(leavesOf(program).filter((command) => !pages.includes(command))).toEqual([]);
});

it('what no command line knows is found', () => {
  for (const typed of [
    'statis',
    'egress lst',
    'egress drain a --raeson x',
    'accounts change 1 --plan pro --colour red',
  ])
    expect(unknownOf(typed), typed).toHaveLength(1);
  for (const typed of ['status --json', 'egress drain a --reason "it moves"', 'search order-17'])
    expect(unknownOf(typed), typed).toEqual([]);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const namesIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(join(ROOT, folder), { encoding: 'utf8', recursive }).map((name) => join(folder, name));

const FOLDERS = ['docs', 'src', 'config'];
const pages = [...namesIn('.', false), ...FOLDERS.flatMap((folder) => namesIn(folder, true))].filter((name) =>
  name.endsWith('.md'),
);
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** A page without its blocks of code, where signs of Markdown mean nothing. */
const prose = (page: string): string => read(page).replace(/^( *)```[^]*?^\1```$/gm, '');

/** As GitHub makes it of a heading: lower case, without signs, with hyphens for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (page: string): string[] =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

it.each(pages)('%s links to files and headings that are there', (page) => {
  const targets = [...prose(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target]) => target!);
  const lost = targets.filter((target) => {
    const [path, anchor] = target.split('#') as [string, string?];
    const file = path === '' ? page : normalize(join(dirname(page), path));
    return !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  });
  expect(lost).toEqual([]);
});

/** Files of packages that we name. */
const OF_PACKAGES = ['throttler.guard.ts', 'interceptors-consumer.ts'];

it('pages and comments name only files that are there', () => {
  const files = ['src', 'test', 'bench', 'migrations', 'config'].flatMap((folder) => namesIn(folder, true));
  const sources = [...files, ...namesIn('.', false)].filter((name) => /\.(tsx?|mjs)$/.test(name));
  const isThere = (named: string) => sources.some((name) => name === named || name.endsWith(`/${named}`));
  const lost = [...pages, ...sources].flatMap((file) => {
    const lines = read(file).split('\n');
    const told = file.endsWith('.md') ? lines : lines.filter((line) => /^\s*(\/\/|\/?\*)/.test(line));
    const named = [...told.join('\n').matchAll(/`(\w[\w/.-]*\.(?:tsx?|mjs))`/g)].map(([, name]) => name!);
    return named.filter((name) => !isThere(name) && !OF_PACKAGES.includes(name)).map((name) => `${file}: ${name}`);
  });
  expect(lost).toEqual([]);
});

/* A full stop behind these ends no sentence. */
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|Dr|Mr|Mrs|Ms|Prof|Jr|Sr|St|No)\.$/;

/** What may hold a full stop that does not end the line's own sentence: code, links, brackets, and a head in bold before its sentence. */
const WITHIN = /`[^`]*`|\]\([^)]*\)|\([^()]*\)|\*\*[^*]+\*\*/g;

/** Where a sentence ends and another one begins: two letters or digits, a full stop, a space, a capital. */
const BETWEEN = /(?<=[a-z0-9%]{2}[.!?]["*_]*) +(?=["*_]*[A-Z])/;

function holdsTwoSentences(line: string): boolean {
  const parts = line.replace(WITHIN, 'x').split(BETWEEN);
  return parts.slice(0, -1).some((part) => !ABBREVIATION.test(part));
}

it.each(pages)('%s has one sentence a line, so that a change of one shows as one', (page) => {
  const lines = prose(page).split('\n');
  const isProse = (line: string) => !/^\s*(?:\||#|<!--)/.test(line);
  expect(lines.filter((line) => isProse(line) && holdsTwoSentences(line))).toEqual([]);
});

it('every row of docs/security.md that says "met", and every risk, names a file of the repository as its evidence', () => {
  const chapter = prose('docs/security.md').split('## What an auditor asks')[1]!;
  const rows = chapter.split('\n').filter((line) => /^\| (?:API)?\d/.test(line));
  expect(rows.length).toBeGreaterThan(50);
  const claims = rows.filter((row) => row.startsWith('| API') || /^\|[^|]*\| met\b/.test(row));
  expect(claims.filter((row) => !/\]\((?!https?:)[^)\s]+\)/.test(row))).toEqual([]);
  const states = rows.filter((row) => !row.startsWith('| API')).map((row) => row.split('|')[2]!.trim());
  expect(states.filter((state) => !/^(?:met|not met|does not apply)\b/.test(state))).toEqual([]);
});

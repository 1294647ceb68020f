import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../docs/adr');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** Records that rest on measurements, as sections of one page. */
const MEASURED = 'measured-choices.md';

const names = readdirSync(FOLDER)
  .filter((name) => !['README.md', MEASURED].includes(name))
  .sort();

const sections = [...read(MEASURED).matchAll(/^## (?<number>\d+)\. (?<title>.+)$/gm)].map(({ groups }) => ({
  number: Number(groups!['number']),
  title: groups!['title']!,
}));

const FORM =
  /^# (?<number>\d+)\. (?<title>.+)\n\nStatus: (?<status>.+)\n\nDate: (?<date>\d{4}-\d\d-\d\d)\n\n## Context\n\n[^]+\n\n## Decision\n\n[^]+\n\n## Consequences\n\n[^]+\n$/;

/** `accepted`, or the whole or a part of it is superseded by a record that is there. */
const STATUS = /^(?:accepted|(?:partly )?superseded by \[(?<number>\d{4})\]\((?<file>.+)\))$/;

const partsOf = (name: string) => FORM.exec(read(name))?.groups;

describe('docs/adr', () => {
  it('docs/adr numbers its records from 1 without a gap', () => {
    const numbers = [...names.map((name) => Number(name.slice(0, 4))), ...sections.map(({ number }) => number)];
    expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
  });

  it.each(names)('%s has a title, a status, a date, and then Context, Decision and Consequences only', (name) => {
    const parts = partsOf(name);
    expect(parts, `${name} has another form`).toBeDefined();
    expect(Number(parts!['number'])).toBe(Number(name.slice(0, 4)));
    expect(new Date(parts!['date']!).toISOString().slice(0, 10)).toBe(parts!['date']);
    expect(read(name).match(/^#+ /gm)).toEqual(['# ', '## ', '## ', '## ']);
  });

  it.each(names)('%s has a known status, and names the record that supersedes it', (name) => {
    const status = STATUS.exec(partsOf(name)!['status']!)?.groups;
    expect(status).toBeDefined();
    if (status!['file'] === undefined) return;
    expect(names).toContain(status!['file']);
    expect(status!['file'].slice(0, 4)).toBe(status!['number']);
    expect(Number(status!['number'])).toBeGreaterThan(Number(name.slice(0, 4)));
  });

  it('docs/adr stands in the table of README.md, each record with its title, status and date', () => {
    const rows = names.map((name) => {
      const { title, status, date } = partsOf(name)!;
      return `| [${name.slice(0, 4)}](${name}) | ${title} | ${status} | ${date} |`;
    });
    const measured = sections.map(({ number, title }) => {
      const anchor = `${number}. ${title}`
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-');
      return `| [${String(number).padStart(4, '0')}](${MEASURED}#${anchor}) | ${title} | accepted |`;
    });
    const table = read('README.md').match(/^\| \[.*$/gm)!;
    expect(table.map((row) => (row.includes(MEASURED) ? row.replace(/ [\d-]+ \|$/, '') : row))).toEqual(
      [...rows, ...measured].sort(),
    );
  });
});

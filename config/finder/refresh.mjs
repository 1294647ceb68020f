/**
 * Writes `given-names.txt` and `family-names.txt` from the names that the package `@faker-js/faker` (MIT) has for its
 * locales: `node config/finder/refresh.mjs`. The package is fetched into a temporary folder, without install scripts; it is no
 * dependency. Names are written as they stand in addresses: ASCII, lower case.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import anyAscii from 'any-ascii';

const HERE = import.meta.dirname;
const FAKER = '@faker-js/faker@10.6.0';

/** Locales whose script is written with vowels, so that a spelling can be told from the text alone. */
const SCRIPTS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]+$/u;
/** Jokes and constructed languages. */
const SKIPPED = /^(en_AU_ocker|en_BORK|eo|base)$/;

const folder = mkdtempSync(join(tmpdir(), 'names-'));
try {
  execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', FAKER]);
  const { allLocales } = await import(pathToFileURL(join(folder, 'node_modules/@faker-js/faker/dist/index.js')).href);
  const people = Object.entries(allLocales).flatMap(([name, { person }]) =>
    SKIPPED.test(name) || !person ? [] : [person],
  );
  write(
    'given-names.txt',
    people.flatMap(({ first_name }) => namesOf(first_name)),
  );
  write(
    'family-names.txt',
    people.flatMap(({ last_name }) => namesOf(last_name)),
  );
} finally {
  rmSync(folder, { recursive: true });
}

function namesOf(definition) {
  return Object.values(definition ?? {}).flatMap((names) => names ?? []);
}

function write(file, names) {
  const ascii = names
    .filter((name) => typeof name === 'string' && SCRIPTS.test(name))
    .map((name) =>
      anyAscii(name)
        .toLowerCase()
        .replace(/[^a-z]/g, ''),
    )
    .filter((name) => name.length >= 3);
  const sorted = [...new Set(ascii)].sort((a, b) => (a < b ? -1 : 1));
  writeFileSync(join(HERE, file), `# From ${FAKER} (MIT); see SOURCES.md.\n${sorted.join('\n')}\n`);
  process.stdout.write(`${file}: ${sorted.length} names\n`);
}

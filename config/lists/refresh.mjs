/**
 * Builds the lists in this folder from the packages that SOURCES.md names and from `curation/`, and prints size and age of
 * each: `npm run lists`. A file is written only when its entries change, so its date is that of its last change. What must
 * be fetched and cannot be leaves the files that need it as they are.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPublicSuffix, parse } from 'tldts';

const HERE = import.meta.dirname;
const TODAY = new Date().toISOString().slice(0, 10);
const YEAR_SECONDS = 365 * 86_400;

/** Not dependencies: the first one downloads when it is installed, and neither is needed to run. */
const FETCHED = ['free-email-domains@1.12.6', 'fakefilter@0.1.1476'];

/** A name that says what the domain is for: the second vote for what one list says alone. */
const THROW_AWAY_NAME =
  /temp-?(e-?)?mail|mail-?temp|tmp-?mail|trash-?mail|throw-?away|disposable|fake-?(e-?)?mail|guerr?illa|mailinator|wegwerf|jetable|yopmail|minutes?-?(e-?)?mail|sharklaser|spam|10-?min/;

const installed = createRequire(import.meta.url);

const parents = (domain) => domain.split('.').map((_, index, labels) => labels.slice(index).join('.'));
const covers = (set, domain) => parents(domain).some((name) => set.has(name));
const sorted = (names) => [...new Set(names)].sort();
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

function readList(path) {
  const lines = readFileSync(join(HERE, path), 'utf8').split('\n');
  return lines.map((line) => line.replace(/#.*/, '').trim()).filter((entry) => entry !== '');
}

/** A name under which people register domains is not one service's: listing it would list them all. */
function isUsable(domain) {
  const { isIcann, isIp } = parse(domain, { allowPrivateDomains: false });
  return isIcann && !isIp && getPublicSuffix(domain, { allowPrivateDomains: true }) !== domain;
}

/** Somebody's host at a dynamic DNS service or the like (the private section of the Public Suffix List). */
function isBelowPrivateSuffix(domain) {
  return parse(domain, { allowPrivateDomains: true }).isPrivate === true;
}

/** Installs the packages that are no dependencies into a folder that is deleted afterwards; null without a registry. */
function fetched(read) {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'));
  try {
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    const timeout = 120_000;
    execFileSync('npm', ['install', '--prefix', folder, ...quiet, ...FETCHED], { stdio: 'pipe', timeout });
    return read(join(folder, 'node_modules'));
  } catch (error) {
    console.warn(
      `Not fetched, so disposable.txt, free.txt and SOURCES.md stay as they are: ${String(error.message).split('\n')[0]}`,
    );
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Domains that throw-away services of the core list offered to visitors in the last year of fakefilter's records. */
function offeredLately({ t: lastRecord, domains }, core) {
  return Object.entries(domains).flatMap(([domain, { providers, hosts }]) => {
    const lastSeen = Math.max(...Object.values(hosts).map(({ lastseen }) => lastseen));
    return lastSeen > lastRecord - YEAR_SECONDS && providers.some((name) => core.has(name)) ? [domain] : [];
  });
}

function disposableOf({ core, mailchecker, fakefilter }, protectedNames) {
  const seen = new Set(Object.keys(fakefilter.domains));
  const twoVotes = mailchecker.filter((domain) => seen.has(domain) || THROW_AWAY_NAME.test(domain));
  const drop = new Set(readList('curation/disposable-drop.txt'));
  const named = [...core, ...twoVotes, ...offeredLately(fakefilter, core), ...readList('curation/disposable-add.txt')];
  const kept = new Set(named.filter((name) => isUsable(name) && !covers(protectedNames, name) && !drop.has(name)));
  return [...kept].filter((domain) => !covers(kept, domain.slice(domain.indexOf('.') + 1)));
}

function rolesOf(packaged) {
  const drop = new Set(readList('curation/role-drop.txt'));
  const added = readList('curation/role-add.txt');
  const starred = new Set(added.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1)));
  return [...packaged.filter((entry) => !drop.has(entry)), ...added].filter((entry) => !starred.has(entry));
}

/** @returns whether the file changed. */
function write(name, about, entries) {
  const path = join(HERE, name);
  const body = `${sorted(entries).join('\n')}\n`;
  const old = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (old.replace(/^(#.*\n)*/, '') === body) return;
  writeFileSync(path, `# ${about}\n# Built ${TODAY} by refresh.mjs; change curation/ instead of this file.\n${body}`);
}

function builtOn(name) {
  const text = readFileSync(join(HERE, name), 'utf8');
  return /^# Built (\S+)/m.exec(text)?.[1] ?? statSync(join(HERE, name)).mtime.toISOString().slice(0, 10);
}

function describeLists() {
  const names = readdirSync(HERE).filter((name) => name.endsWith('.txt'));
  return names.sort().map((name) => ({ name, entries: readList(name).length, bytes: statSync(join(HERE, name)).size }));
}

function licenceOf(folder, name) {
  const file = readdirSync(join(folder, name)).find((entry) => /^licen[cs]e/i.test(entry));
  const { version, license } = json(join(folder, name, 'package.json'));
  return { name, version, license, text: readFileSync(join(folder, name, file), 'utf8').trim() };
}

const modules = join(installed.resolve('mailchecker/package.json'), '../..');
const LOCAL = ['disposable-email-domains-js', 'mailchecker', 'email-providers', 'role-based-email-addresses'];
const operators = Object.values(json(join(HERE, '../mail-providers.json'))).flatMap(({ domains }) => domains);
const never = new Set([...operators, ...readList('curation/mailbox-providers.txt')]);
const relays = new Set(readList('privacy-relays.txt'));

write('never-disposable.txt', 'The largest mailbox providers: never disposable, whatever a list says.', never);
write(
  'role.txt',
  'Local parts that are a task, not a person; a star: also as the first word.',
  rolesOf(installed(LOCAL[3])),
);

const rest = fetched((folder) => ({
  free: json(join(folder, 'free-email-domains/domains.json')),
  fakefilter: json(join(folder, 'fakefilter/json/data_version2.json')),
  licences: FETCHED.map((spec) => licenceOf(folder, spec.split('@')[0])),
}));

if (rest !== null) {
  const core = new Set(json(join(modules, LOCAL[0], 'dist/dict/disposable_email_blocklist.json')));
  const mailchecker = [...installed('mailchecker').blacklist()];
  const disposable = disposableOf({ core, mailchecker, fakefilter: rest.fakefilter }, new Set([...never, ...relays]));
  write('disposable.txt', 'Throw-away mailbox services; their subdomains count too.', disposable);

  const common = json(join(modules, 'email-providers/common.json'));
  const notFree = new Set([...core, ...mailchecker, ...disposable, ...relays]);
  const drop = new Set(readList('curation/free-drop.txt'));
  const provided = [...rest.free, ...common].filter((domain) => !never.has(domain) && !covers(notFree, domain));
  const free = [...provided, ...never, ...readList('curation/free-add.txt')];
  const usable = free.filter((domain) => isUsable(domain) && !isBelowPrivateSuffix(domain) && !drop.has(domain));
  write('free.txt', 'Domains on which anybody, or any customer of an access company, may have a mailbox.', usable);
  writeSources([...LOCAL.map((name) => licenceOf(modules, name)), ...rest.licences]);
}

for (const { name, entries, bytes } of describeLists()) {
  const days = Math.round((Date.parse(TODAY) - Date.parse(builtOn(name))) / 86_400_000);
  console.log(
    `${name.padEnd(22)} ${String(entries).padStart(6)} entries ${String(bytes).padStart(8)} bytes ${days} days old`,
  );
}

function writeSources(licences) {
  const use = {
    'disposable-email-domains-js': 'disposable: the core, all of it (data CC0, from disposable-email-domains)',
    mailchecker: 'disposable: with a second vote, see below',
    fakefilter: 'disposable: the second vote, see below',
    'free-email-domains': 'free: minus what is disposable (it holds all of the core)',
    'email-providers': 'free: its `common` list, minus what is disposable',
    'role-based-email-addresses': 'role: minus curation/role-drop.txt',
  };
  const table = licences.map(({ name, version, license }) => `| ${name} | ${version} | ${license} | ${use[name]} |`);
  const lists = describeLists().map(
    ({ name, entries, bytes }) => `| ${name} | ${entries} | ${bytes} | ${builtOn(name)} |`,
  );
  const texts = licences.filter(({ license }) => license !== 'CC0-1.0');
  const text = [
    readFileSync(join(HERE, 'curation/ABOUT.md'), 'utf8').trim(),
    ['## Sizes', '', '| list | entries | bytes | last changed |', '|---|---:|---:|---|', ...lists].join('\n'),
    ['## Packages', '', '| package | version | licence | used for |', '|---|---|---|---|', ...table].join('\n'),
    ['## Licences of the packages', ...texts.map(({ name, text }) => `### ${name}\n\n${fenced(text)}`)].join('\n\n'),
  ].join('\n\n');
  writeFileSync(join(HERE, 'SOURCES.md'), `${text}\n`);
}

function fenced(text) {
  return `\`\`\`text\n${text}\n\`\`\``;
}

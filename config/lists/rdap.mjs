/**
 * Brings `config/rdap.json` up to date: IANA's list of the servers that know of registrations (RFC 9224), those with HTTPS. The file stays as
 * it is when IANA cannot be asked, or says what no such list says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../rdap.json');
const SOURCE = 'https://data.iana.org/rdap/dns.json';
const WITHIN_MS = 30_000;
/** What was once there does not go in one day. */
const MIN_SHARE = 0.9;

/** The text of the file. @throws Error for what no such list says */
export function rdapFile({ publication, services }, readAt) {
  if (typeof publication !== 'string' || !Array.isArray(services)) throw new Error('it is no list of servers');
  const rows = services
    .map(([entries, urls]) => [[...entries].sort(), urls.filter((url) => url.startsWith('https://')).slice(0, 1)])
    .filter(([, urls]) => urls.length > 0)
    .sort(([[a]], [[b]]) => (a < b ? -1 : 1));
  const lines = rows.map(([entries, urls]) => `    ${list([list(entries), list(urls)], false)}`);
  const head = Object.entries({ source: SOURCE, publication, readAt }).map(
    ([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`,
  );
  return `{\n${head.join('')}  "services": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

function list(items, isText = true) {
  return `[${items.map((item) => (isText ? JSON.stringify(item) : item)).join(', ')}]`;
}

export async function refreshRdap(today) {
  const before = readFileSync(FILE, 'utf8');
  try {
    const answer = await fetch(SOURCE, { signal: AbortSignal.timeout(WITHIN_MS) });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    const text = rdapFile(await answer.json(), today);
    if (JSON.parse(text).services.length < MIN_SHARE * JSON.parse(before).services.length)
      throw new Error('it has far fewer servers than before');
    writeFileSync(FILE, text);
    console.log(`config/rdap.json: ${JSON.parse(text).services.length} servers`);
  } catch (error) {
    console.error(`config/rdap.json stays as it is: ${SOURCE} was not read (${error.message})`);
  }
}

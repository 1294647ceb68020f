import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createEngine, createLists, NO_LISTS, parseMailProviders } from '../../src/engine/verification/engine.js';
import { type DnsAnswer } from '../../src/mail-dns/domain-dns.js';
import { type EgressSource } from '../../src/engine/ports.js';
import { nodePorts } from '../../src/verify/ports/node-ports.js';
import type { Seen } from './sink.js';
import { decisionTable } from '../../src/verify/ports/decision-table-file.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    addresses: { type: 'string', default: '4000' },
    latency: { type: 'string', default: '40' },
  },
});
if (values.help) {
  console.log(`npm run bench:egress -- [--addresses 4000] [--latency 40]

Addresses a second with 1, 2, 4 and 8 sources, at a mail host that takes from each source what its caps are and turns away the rest.
--addresses: for each source
--latency: milliseconds to the mail host`);
  process.exit(0);
}
/** What so many sources must give at least, of one. */
const WANTED = new Map([
  [2, 1.9],
  [4, 3.7],
  [8, 7.2],
]);

const root = new URL('../../../', import.meta.url);
const providers = parseMailProviders(JSON.parse(readFileSync(new URL('config/mail-providers.json', root), 'utf8')));
const cap = providers.fallback.caps.connections;
const found = <T>(record: T): Promise<DnsAnswer<T>> =>
  Promise.resolve({ outcome: 'found', records: [record], ttlSeconds: 3_600 });

function sourceAt(index: number): EgressSource {
  const anywhere = { socks5: null, region: null, weight: 1, since: null, operators: null };
  return { name: `s${index}`, address: `127.0.${index + 1}.1`, helo: 'probe.example.net', mailFrom: '', ...anywhere };
}

async function run(sources: number): Promise<number> {
  const sink = fork(new URL('sink.js', import.meta.url), [values.latency, String(cap)], { silent: true });
  const [port] = (await once(createInterface({ input: sink.stdout! }), 'line')) as [string];
  const lists = createLists(NO_LISTS);
  const engine = createEngine({
    ports: {
      ...nodePorts({ dnsServers: [] }),
      resolver: {
        mx: () => found({ exchange: 'mx.example.com', preference: 10 }),
        a: () => found('127.0.0.1'),
        aaaa: () => Promise.resolve({ outcome: 'nodata' }),
      },
    },
    providers,
    decisionTable: decisionTable(),
    lists: () => lists,
    identity: { heloName: 'probe.example.net', mailFrom: '', port: Number(port) },
    sources: Array.from({ length: sources }, (_, index) => sourceAt(index)),
    mxAllowedNetworks: ['127.0.0.0/8'],
  });
  const count = Number(values.addresses) * sources;
  const emails = Array.from({ length: count }, (_, index) => `${index % 30 === 0 ? 'no' : 'ok'}${index}@example.com`);
  const startedAt = performance.now();
  let wrong = 0;
  for await (const { index, verification } of engine.verifyMany(emails))
    if (verification.verdict !== (index % 30 === 0 ? 'invalid' : 'valid')) wrong += 1;
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  engine.close();
  sink.send('seen');
  const [seen] = (await once(sink, 'message')) as [Seen];
  sink.disconnect();
  const most = Math.max(...Object.values(seen.most));
  const used = Object.keys(seen.most).length;
  console.log(
    `${String(sources).padStart(2)} sources (${used} seen): ${perSecond.toFixed(0).padStart(6)} addresses/s, ` +
      `at most ${most} of ${cap} connections from one, ${seen.turnedAway} turned away, ${wrong} wrong`,
  );
  if (seen.turnedAway > 0 || wrong > 0) process.exitCode = 1;
  return perSecond;
}

const one = await run(1);
for (const [sources, wanted] of WANTED) {
  const ratio = (await run(sources)) / one;
  console.log(`   ${ratio.toFixed(2)} times one source, wanted ${wanted}`);
  if (ratio < wanted) process.exitCode = 1;
}

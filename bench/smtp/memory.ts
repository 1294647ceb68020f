import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { writeHeapSnapshot } from 'node:v8';

import { createEngine, createLists, NO_LISTS, parseMailProviders } from '../../src/engine/verification/engine.js';
import { type DnsAnswer } from '../../src/mail-dns/domain-dns.js';
import { nodePorts } from '../../src/verify/ports/node-ports.js';
import { readConfig } from './variants.js';
import { decisionTable } from '../../src/verify/ports/decision-table-file.js';

/**
 * `verifyMany` over a list as they come: half of the addresses on five large domains, the others on 60,000 domains with 20,000
 * mail hosts, in no order; with `--alone` each address on a domain and a mail host of its own. Prints the memory as it goes, so that growth
 * is seen, and at the end what lives on. The sink is a process of its own.
 */
const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    addresses: { type: 'string', default: '1000000' },
    alone: { type: 'boolean', default: false },
    snapshot: { type: 'string' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:memory -- [--addresses 1000000] [--alone] [--snapshot FILE]\n\n--alone: each address on a domain and a mail host of its own\n--snapshot: write what lives at the end, for the memory tools of Chrome',
  );
  process.exit();
}
const ADDRESSES = Number(values.addresses);
const DOMAINS = values.alone ? ADDRESSES : 60_000;
const HOSTS = values.alone ? ADDRESSES : 20_000;

function* addresses(): Generator<string> {
  let seed = 42;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  for (let index = 0; index < ADDRESSES; index++) {
    const isLarge = !values.alone && random() < 0.5;
    const number = values.alone ? index : Math.floor(random() * DOMAINS);
    const domain = isLarge ? `large${Math.floor(random() * 5)}.com` : `d${number}.com`;
    yield `${random() < 0.97 ? 'ok' : 'no'}.user${index}@${domain}`;
  }
}

const found = <T>(...records: T[]): Promise<DnsAnswer<T>> =>
  Promise.resolve({ outcome: 'found', records, ttlSeconds: 3_600 });
const numberIn = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0);

const sink = fork(new URL('sink.js', import.meta.url), ['0'], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
const [line] = (await once(sink.stdout!, 'data')) as [Buffer];
const lists = createLists(NO_LISTS);
const engine = createEngine({
  ports: {
    ...nodePorts({ dnsServers: [] }),
    resolver: {
      mx: (domain) => {
        const host = domain.startsWith('large') ? domain : `h${numberIn(domain) % HOSTS}.net`;
        return found({ exchange: `mx.${host}`, preference: 10 });
      },
      a: (host) => found(`127.0.0.${1 + (numberIn(host) % 8)}`),
      aaaa: () => Promise.resolve({ outcome: 'nodata' }),
    },
  },
  providers: parseMailProviders(readConfig('mail-providers.json')),
  decisionTable: decisionTable(),
  lists: () => lists,
  identity: { heloName: 'probe.example.net', mailFrom: 'probe@example.net', port: Number(line.toString()) },
  mxAllowedNetworks: ['127.0.0.0/8'],
});

const counts = new Map<string, number>();
const start = performance.now();
let done = 0;
let most = 0;
for await (const { verification } of engine.verifyMany(addresses())) {
  counts.set(verification.reason, (counts.get(verification.reason) ?? 0) + 1);
  if (++done % 20_000 !== 0) continue;
  const rssMb = Math.round(process.memoryUsage.rss() / 1_048_576);
  most = Math.max(most, rssMb);
  console.log(
    `${done.toLocaleString('en').padStart(9)} ${rssMb} MB  ${Math.round((done * 1_000) / (performance.now() - start))} addresses/s`,
  );
}
const { user, system } = process.cpuUsage();
console.log(
  `most ${most} MB; ${((user + system) / done).toFixed(1)} µs CPU an address; ${JSON.stringify(Object.fromEntries(counts))}`,
);
globalThis.gc?.();
const { heapUsed, external, rss } = process.memoryUsage();
const mb = (bytes: number): number => Math.round(bytes / 1_048_576);
console.log(`at the end: ${mb(heapUsed)} MB of heap, ${mb(external)} MB beside it, ${mb(rss)} MB in all`);
if (values.snapshot !== undefined) writeHeapSnapshot(values.snapshot);
engine.close();
sink.kill();

import { fork } from 'node:child_process';
import { once } from 'node:events';

import { createEngine, createLists, parseMailProviders, type DnsAnswer } from '../../src/engine/index.js';
import { nodePorts } from '../../src/verify/ports/node-ports.js';
import { readConfig } from './variants.js';

/**
 * `verifyMany` over a list as they come: half of the addresses on five large domains, the others on 60,000 domains with 20,000
 * mail hosts, in no order. Prints the memory as it goes, so that growth is seen. The sink is a process of its own.
 */
const ADDRESSES = Number(process.argv[2] ?? 1_000_000);
const DOMAINS = 60_000;
const HOSTS = 20_000;

function* addresses(): Generator<string> {
  let seed = 42;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  for (let index = 0; index < ADDRESSES; index++) {
    const domain = random() < 0.5 ? `large${Math.floor(random() * 5)}.com` : `d${Math.floor(random() * DOMAINS)}.com`;
    yield `${random() < 0.97 ? 'ok' : 'no'}.user${index}@${domain}`;
  }
}

const found = <T>(...records: T[]): Promise<DnsAnswer<T>> =>
  Promise.resolve({ outcome: 'found', records, ttlSeconds: 3_600 });
const numberIn = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0);

const sink = fork(new URL('sink.js', import.meta.url), ['0'], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
const [line] = (await once(sink.stdout!, 'data')) as [Buffer];
const lists = createLists({
  disposable: '',
  free: '',
  role: '',
  privacyRelays: '',
  neverDisposable: '',
  spamTraps: '',
  disposableMailHosts: '',
  sharedMailHosts: '',
});
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
  if (++done % 50_000 !== 0) continue;
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
engine.close();
sink.kill();

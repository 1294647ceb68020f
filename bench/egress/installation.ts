import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';

import { generateToken, hashToken } from '../../src/keys/access/token.js';
import { startService, startSink } from '../batch/processes.js';
import { endInGoodOrder, freePort, startServers } from '../batch/world.js';
import type { Seen } from './hosts.js';

/** Connections at one operator from one source: `default` of config/mail-providers.json. */
export const CAP = 5;
/** Greylisted addresses are tried again 2, 6 and 12 s after their chunk. */
const RETRY_WINDOW_SECONDS = 12;

/** The client address of each source; of `far`, where its proxy connects from. */
export const CLIENTS = {
  north: '127.0.11.1',
  south: '127.0.12.1',
  west: '127.0.13.1',
  listed: '127.0.14.1',
  far: '127.0.15.1',
  added: '127.0.16.1',
} as const;
export type SourceName = keyof typeof CLIENTS;

/** PostgreSQL, Redis, the operators, a proxy and a process of role api; workers come and go. */
export async function startInstallation() {
  const servers = await startServers();
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-egress-'));
  const egressFile = join(folder, 'egress.json');
  const proxyPort = await freePort();
  const writeSources = (names: readonly SourceName[]): void =>
    writeFileSync(egressFile, JSON.stringify({ sources: names.map((name) => sourceOf(name, proxyPort)) }));
  writeSources(['north', 'south', 'west', 'listed', 'far']);
  const dns = await startSink('../egress/dns-sink.js');
  const hosts = await startSink('../egress/hosts.js', [String(CAP), '0', CLIENTS.listed]);
  const startProxy = async () => (await startSink('../egress/proxy.js', [String(proxyPort), CLIENTS.far])).child;
  let proxy = await startProxy();
  const port = await freePort();
  const environment = {
    ...servers.environment,
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    DNS_KNOWN_DOMAINS: 'op0.example.com',
    SMTP_PORT: String(hosts.port),
    MX_ALLOWED_NETWORKS: '127.0.0.0/8',
    BATCH_RETRY_WINDOW_SECONDS: String(RETRY_WINDOW_SECONDS),
    EGRESS_FILE: egressFile,
  };
  const api = await startService({ ...environment, ROLE: 'api', PORT: String(port) }, null);
  const adminKey = await newAdminKey(servers.database);
  let workers: ChildProcess[] = [];

  const endWorkers = async (): Promise<void> => {
    await Promise.all(workers.map(endInGoodOrder));
    workers = [];
  };
  return {
    database: servers.database,
    port,
    writeSources,
    endWorkers,
    /** @param settings such as EGRESS */
    startWorkers: async (count: number, settings: Readonly<Record<string, string>> = {}): Promise<void> => {
      const start = () => startService({ ...environment, ...settings, ROLE: 'worker' }, null);
      workers = await Promise.all(Array.from({ length: count }, start));
    },
    /** @param recipientMs what hosts need for a recipient from now on */
    seen: async (recipientMs?: number): Promise<Seen> => {
      hosts.child.send({ recipientMs });
      const [answer] = (await once(hosts.child, 'message')) as [Seen];
      return answer;
    },
    killProxy: async (): Promise<void> => {
      proxy.kill('SIGKILL');
      await once(proxy, 'exit');
    },
    bringProxyBack: async (): Promise<void> => {
      proxy = await startProxy();
    },
    /** As administrators do. */
    drain: async (name: SourceName): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${port}/admin/v1/egress/${name}/drain`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'leaves the machine' }),
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    },
    stop: async (): Promise<void> => {
      await endWorkers();
      await endInGoodOrder(api);
      for (const child of [dns.child, hosts.child, proxy]) child.kill('SIGKILL');
      await servers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sourceOf(name: SourceName, proxyPort: number): object {
  const where = name === 'far' ? { socks5: { host: '127.0.0.1', port: proxyPort } } : { address: CLIENTS[name] };
  return { name, ...where, helo: `${name}.example.net`, mail_from: 'probe@example.net' };
}

async function newAdminKey(database: pg.Client): Promise<string> {
  const token = generateToken('admin');
  await database.query(
    `INSERT INTO api_keys (kind, token_hash, last_four, created_at) VALUES ('admin', $1, $2, now())`,
    [hashToken(token), token.slice(-4)],
  );
  return token;
}

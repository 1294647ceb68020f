import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { startService, startSink } from '../batch/processes.js';
import { endInGoodOrder, freePort, startServers } from '../batch/world.js';
import type { Seen } from './smtp-sink.js';

/** Seconds in which greylisted addresses of a batch are tried again. */
const RETRY_WINDOW_SECONDS = 6;

/** The service with so many workers, PostgreSQL, Redis, and the mail world with its hosts so many milliseconds away. */
export async function startInstallation(
  workers: number,
  latencyMs: number,
  {
    profile = null,
    isPlain = false,
  }: { readonly profile?: string | null; /** No host offers STARTTLS. */ readonly isPlain?: boolean } = {},
) {
  const servers = await startServers();
  const dns = await startSink('../world/dns-sink.js');
  const smtp = await startSink('../world/smtp-sink.js', [String(latencyMs), isPlain ? 'plain' : 'starttls']);
  const port = await freePort();
  const environment = {
    ...servers.environment,
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    SMTP_PORT: String(smtp.port),
    MX_ALLOWED_NETWORKS: '127.0.0.0/8',
    BATCH_RETRY_WINDOW_SECONDS: String(RETRY_WINDOW_SECONDS),
  };
  const services: Record<string, ChildProcess> = {
    api: await startService({ ...environment, ROLE: 'api', PORT: String(port) }, profile),
  };
  for (let i = 1; i <= workers; i++)
    services[`worker ${i}`] = await startService({ ...environment, ROLE: 'worker' }, profile);
  return {
    database: servers.database,
    port,
    smtpPort: smtp.port,
    pids: new Map<string, number>([
      ...Object.entries(services).map(([name, { pid }]): [string, number] => [name, pid!]),
      ['DNS sink', dns.child.pid!],
      ['SMTP sink', smtp.child.pid!],
      ['PostgreSQL', servers.postgresPid],
      [servers.redisName, servers.redisPid],
    ]),
    questions: () => ask<number>(dns.child),
    seen: () => ask<Seen>(smtp.child),
    endServices: async () => {
      if (profile !== null) await Promise.all(Object.values(services).map(endInGoodOrder));
      for (const child of Object.values(services)) child.kill('SIGKILL');
    },
    stop: async () => {
      for (const child of [...Object.values(services), dns.child, smtp.child]) child.kill('SIGKILL');
      await servers.stop();
    },
  };
}

async function ask<T>(sink: ChildProcess): Promise<T> {
  sink.send('seen');
  const [answer] = (await once(sink, 'message')) as [T];
  return answer;
}

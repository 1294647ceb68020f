import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { CONFIG_DIRECTORY } from '../../src/platform/config/config-file.js';
import { startPrometheusServer } from '../../test/support/prometheus-server.js';
import { startService, startSink } from '../batch/processes.js';
import { endInGoodOrder, freePort, newKey, startServers } from '../batch/world.js';
import { OrdinaryLoad } from './load.js';
import { OUR_NAME, startNames } from './names.js';

/*
 * An ordinary hour: one process of role api, two workers, PostgreSQL, Redis, and the mail world of bench/world with its greylisting, refusing
 * and lying hosts; callers who verify, send lists, read, register and make mistakes; one worker is replaced in the middle. Prometheus has
 * the rules as they are shipped. Whatever alert fires is a fault: of the rule or of the service. test/observability/hour.sh starts it.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    // Of each list.
    addresses: { type: 'string', default: '2000' },
  },
});
const seconds = Number(values.minutes) * 60;
const CREDITS = 10_000_000;
/** Between two scrapes; prometheus.yml has 15. */
const SCRAPE_SECONDS = 15;

const servers = await startServers();
const names = await startNames();
const hosts = await startSink('../world/smtp-sink.js', ['20', 'starttls']);
const port = await freePort();
const receiverPort = await freePort();
const load = new OrdinaryLoad(port, await newKey(servers.database, CREDITS), receiverPort);
const environment = {
  ...servers.environment,
  DNS_SERVERS: names.address,
  DNS_KNOWN_DOMAINS: 'domain.known.test',
  SMTP_PORT: String(hosts.port),
  MX_ALLOWED_NETWORKS: '127.0.0.0/8',
  HELO_NAME: OUR_NAME,
  BATCH_RETRY_WINDOW_SECONDS: '60',
  WEBHOOK_ALLOW_INSECURE: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_PORTS: String(receiverPort),
};
const metrics = [await freePort(), await freePort(), await freePort()].map(String);
const start = (role: Record<string, string>, number: number) =>
  startService({ ...environment, ...role, METRICS_PORT: metrics[number]! }, null);
const api = await start({ ROLE: 'api', PORT: String(port) }, 0);
const workers = [await start({ ROLE: 'worker' }, 1), await start({ ROLE: 'worker' }, 2)];
const prometheus = await startPrometheusServer(
  readFileSync(join(CONFIG_DIRECTORY, 'observability/rules.yml'), 'utf8'),
  {
    global: { scrape_interval: `${SCRAPE_SECONDS}s`, evaluation_interval: `${SCRAPE_SECONDS}s` },
    scrape_configs: [
      { job_name: 'mailsonde', static_configs: [{ targets: metrics.map((each) => `127.0.0.1:${each}`) }] },
    ],
  },
);

const loads: number[] = [];
const sampling = setInterval(() => loads.push(loadavg()[0]!), SCRAPE_SECONDS * 1_000);
console.log(`${new Date().toISOString()} ordinary load begins, for ${values.minutes} minutes`);
await load.begin(Number(values.addresses));
await delay((seconds / 2) * 1_000);
await endInGoodOrder(workers.pop()!);
workers.push(await start({ ROLE: 'worker' }, 2));
console.log(`${new Date().toISOString()} a worker was replaced`);
await delay((seconds / 2) * 1_000);

const window = `${Math.ceil(seconds)}s`;
const scrapes = await valueOf(`min(count_over_time(up{job="mailsonde"}[${window}]))`);
const answered = await valueOf(`sum(mailsonde_verifications_total)`);
const alerts = await alertsOf(`max by (alertname, alertstate) (count_over_time(ALERTS[${window}]))`);
const rules = await sickRules();
const times = await Promise.all(
  alerts
    .filter(({ state }) => state === 'firing')
    .map(async ({ name }) => {
      const firing = `ALERTS{alertname="${name}", alertstate="firing"}`;
      const [from, to] = [
        await valueOf(`min(min_over_time(timestamp(${firing})[${window}:${SCRAPE_SECONDS}s]))`),
        await valueOf(`max(max_over_time(timestamp(${firing})[${window}:${SCRAPE_SECONDS}s]))`),
      ];
      return `${name} (${clock(from)} to ${clock(to)})`;
    }),
);
clearInterval(sampling);
await load.stop();
for (const child of [api, ...workers, hosts.child]) child.kill('SIGKILL');
await prometheus.stop();
await names.close();
await servers.stop();

console.log('| callers | calls | not as they expected |\n|---|---:|---|');
let isUnexpected = false;
for (const [name, { calls, unexpected }] of load.done) {
  isUnexpected ||= calls === 0 || unexpected.size > 0;
  const told = [...unexpected].map(([what, times]) => `${times} × ${what}`).join('; ');
  console.log(`| ${name} | ${calls} | ${told || '0'} |`);
}
console.log(`\n${answered} addresses answered, ${load.webhooks} webhooks received.`);
console.log(
  `${rules.count} rules, sick: ${rules.sick.join(', ') || 'none'}; ${scrapes} scrapes of each process at least.`,
);
const pending = alerts.filter(({ state }) => state === 'pending').map(({ name, times }) => `${name} (${times} looks)`);
console.log(`Pending for a while: ${pending.join(', ') || 'none'}.`);
console.log(`Fired: ${times.join(', ') || 'none'}.`);
const sorted = loads.toSorted((a, b) => a - b);
const cores = availableParallelism();
console.log(
  `Load of the machine, ${cores} cores: median ${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)}, most ${(sorted.at(-1) ?? 0).toFixed(1)}.`,
);
if ((sorted.at(-1) ?? 0) > 4 * cores)
  console.log('Others had the machine too: what is late then is late by them, so do it again on a quiet one.');
const isWatched = scrapes >= 0.9 * (seconds / SCRAPE_SECONDS) - 1 && rules.count > 20 && rules.sick.length === 0;
const isWell = isWatched && !isUnexpected && times.length === 0 && load.webhooks > 0;
console.log(isWell ? 'No alert fired.' : 'NOT AS IT SHOULD BE.');
process.exit(isWell ? 0 : 1);

function clock(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(11, 19);
}

async function query(text: string) {
  const data = (await prometheus.get(`/api/v1/query?query=${encodeURIComponent(text)}`)) as {
    result: { metric: Record<string, string>; value: [number, string] }[];
  };
  return data.result;
}

async function valueOf(text: string): Promise<number> {
  return Number((await query(text))[0]?.value[1] ?? 0);
}

async function alertsOf(text: string) {
  return (await query(text)).map(({ metric, value }) => ({
    name: metric['alertname']!,
    state: metric['alertstate']!,
    times: value[1],
  }));
}

async function sickRules() {
  const { groups } = (await prometheus.get('/api/v1/rules')) as {
    groups: { rules: { name: string; health: string }[] }[];
  };
  const all = groups.flatMap((group) => group.rules);
  return { count: all.length, sick: all.filter(({ health }) => health !== 'ok').map(({ name }) => name) };
}

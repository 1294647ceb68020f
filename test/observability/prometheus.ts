import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/process.js';

export interface Prometheus {
  /** The alerts that fire now, by name, with what they say. */
  firing(): Promise<ReadonlyMap<string, string>>;
  /** How many series a query has. */
  count(query: string): Promise<number>;
  stop(): Promise<void>;
}

/**
 * A real Prometheus that scrapes every second. The rules are the shipped ones with shorter times: nothing has to last, and ten seconds
 * stand for every window, since nobody waits an hour for a test.
 */
export async function startPrometheus(targets: readonly string[]): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), 'mailsonde-prometheus-'));
  const rules = await readFile(join(import.meta.dirname, '../../config/observability/rules.yml'), 'utf8');
  const quick = rules
    .replaceAll(/for: \d+[mhd]\b/g, 'for: 0s')
    .replaceAll(/\[\d+[mhd]\]/g, '[10s]')
    .replace('interval: 15s', 'interval: 1s')
    .replace('hour() < 18', 'hour() < 24');
  await writeFile(join(directory, 'rules.yml'), quick);
  await writeFile(
    join(directory, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      scrape_configs: [{ job_name: 'mailsonde', static_configs: [{ targets }] }],
      rule_files: ['rules.yml'],
    }),
  );
  const port = await freePort();
  const process = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'inherit' },
  );
  const exited = once(process, 'exit');
  const get = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`);
    return ((await reply.json()) as { data: unknown }).data;
  };
  return {
    async firing() {
      const { alerts } = (await get('/api/v1/alerts').catch(() => ({ alerts: [] }))) as { alerts: Alert[] };
      const firing = alerts.filter(({ state }) => state === 'firing');
      return new Map(firing.map(({ labels, annotations }) => [labels.alertname, annotations.summary]));
    },
    async count(query) {
      const found = (await get(`/api/v1/query?query=${encodeURIComponent(query)}`).catch(() => null)) as {
        result: unknown[];
      } | null;
      return found?.result.length ?? 0;
    },
    async stop() {
      process.kill();
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Alert {
  readonly state: string;
  readonly labels: { readonly alertname: string };
  readonly annotations: { readonly summary: string };
}

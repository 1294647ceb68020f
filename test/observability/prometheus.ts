import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startPrometheusServer } from '../support/prometheus-server.js';

const FIRES = { timeout: 240_000, interval: 250 };

export interface Prometheus {
  /** The alerts that fire now, by name, with what they say. */
  firing(): Promise<ReadonlyMap<string, string>>;
  /** Acts again and again until the alert fires. @returns what it says */
  fires(alert: string, act?: () => unknown): Promise<string>;
  /** Resolves when the rules have been looked at once more. */
  evaluated(): Promise<void>;
  /** How many series a query has. */
  count(query: string): Promise<number>;
  stop(): Promise<void>;
}

/**
 * A real Prometheus that scrapes every second. The rules are the shipped ones with shorter times, since nobody waits an hour for a test:
 * nothing has to last, a minute stands for a day, and ten seconds for every other window.
 */
export async function startPrometheus(targets: readonly string[]): Promise<Prometheus> {
  const rules = await readFile(join(import.meta.dirname, '../../config/observability/rules.yml'), 'utf8');
  const quick = rules
    .replaceAll(/for: \d+[mhd]\b/g, 'for: 0s')
    .replaceAll(/\[\d+d\]/g, '[60s]')
    .replaceAll(/\[\d+[mh]\]/g, '[10s]')
    .replace('interval: 15s', 'interval: 1s')
    .replace('hour() < 18', 'hour() < 24');
  const { get, stop } = await startPrometheusServer(quick, {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    scrape_configs: [{ job_name: 'mailsonde', static_configs: [{ targets }] }],
  });
  const firing = async () => {
    const { alerts } = (await get('/api/v1/alerts').catch(() => ({ alerts: [] }))) as { alerts: Alert[] };
    const now = alerts.filter(({ state }) => state === 'firing');
    return new Map(now.map(({ labels, annotations }) => [labels.alertname, annotations.summary]));
  };
  return {
    firing,
    async fires(alert, act = () => undefined) {
      const seen = new Map<string, string>();
      const look = async () => {
        await act();
        for (const [name, summary] of await firing()) seen.set(name, summary);
        return [...seen.keys()];
      };
      await expect.poll(look, FIRES).toContain(alert);
      return seen.get(alert)!;
    },
    async evaluated() {
      const times = async () => {
        const { groups } = (await get('/api/v1/rules').catch(() => ({ groups: [] }))) as { groups: RuleGroup[] };
        return groups.map(({ lastEvaluation }) => lastEvaluation);
      };
      const before = await times();
      const isOver = async () => {
        const now = await times();
        return now.length > 0 && now.every((time, group) => time !== before[group]);
      };
      await expect.poll(isOver, FIRES).toBe(true);
    },
    async count(query) {
      const found = (await get(`/api/v1/query?query=${encodeURIComponent(query)}`).catch(() => null)) as {
        result: unknown[];
      } | null;
      return found?.result.length ?? 0;
    },
    stop,
  };
}

interface Alert {
  readonly state: string;
  readonly labels: { readonly alertname: string };
  readonly annotations: { readonly summary: string };
}

interface RuleGroup {
  readonly lastEvaluation: string;
}

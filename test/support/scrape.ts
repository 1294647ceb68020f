import { MetricsServer } from '../../src/platform/health/metrics-server.js';
import type { TestService } from './service.js';

/** What Prometheus would read of a service that was started with `metricsPort: 0`. */
export async function scrape({ app }: Pick<TestService, 'app'>): Promise<Scrape> {
  const { port } = app.get(MetricsServer, { strict: false });
  return new Scrape(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
}

export class Scrape {
  constructor(readonly text: string) {}

  /** The sum of the samples of a metric that have these labels; null: there is none. */
  valueOf(name: string, labels: Readonly<Record<string, string>> = {}): number | null {
    const samples = this.text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)));
    if (samples.length === 0) return null;
    return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** The names of all metrics, without the endings of histograms. */
  get names(): ReadonlySet<string> {
    return new Set([...this.text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!));
  }
}

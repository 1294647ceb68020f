import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MetricsServer } from '../../src/platform/metrics/metrics-server.js';
import { startService, type TestService } from '../support/service.js';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/observability.md'), 'utf8');

let service: TestService;
let scrape: string;

beforeAll(async () => {
  service = await startService({ env: { metricsPort: 0 } });
  const { port } = service.app.get(MetricsServer, { strict: false });
  scrape = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
});
afterAll(() => service.close());

const namesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name!.replace(/_(bucket|sum|count)$/, '')));
const scraped = () => namesIn(scrape, /^# TYPE (\w+) /gm);

describe('docs/observability.md', () => {
  it('has every metric of ours that a scrape has, and no other', () => {
    const ours = [...scraped()].filter((name) => name.startsWith('mailsonde_'));
    const documented = namesIn(DOCUMENT, /`(mailsonde_\w+)`/g);
    expect([...documented].toSorted()).toEqual(ours.toSorted());
  });

  it('says of each label what it is', () => {
    for (const [, name, labels] of scrape.matchAll(/^(mailsonde_\w+)\{([^}]*)\}/gm)) {
      const row = DOCUMENT.split('\n').find((line) =>
        line.includes(`\`${name!.replace(/_(bucket|sum|count)$/, '')}\``),
      );
      for (const [, label] of labels!.matchAll(/(\w+)="/g))
        if (label !== 'le') expect(row, `${name} ${label}`).toContain(`\`${label}\``);
    }
  });
});

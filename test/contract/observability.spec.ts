import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scrape, scrape as scrapeOf } from '../support/scrape.js';
import { startService, type TestService } from '../support/service.js';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/observability.md'), 'utf8');

let service: TestService;
let scrape: Scrape;

beforeAll(async () => {
  service = await startService({ env: { metricsPort: 0 } });
  scrape = await scrapeOf(service);
});
afterAll(() => service.close());

const namesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name!.replace(/_(bucket|sum|count)$/, '')));

describe('docs/observability.md', () => {
  it('has every metric of ours that a scrape has, and no other', () => {
    const ours = [...scrape.names].filter((name) => name.startsWith('mailsonde_'));
    const documented = namesIn(DOCUMENT, /`(mailsonde_\w+)`/g);
    expect([...documented].toSorted()).toEqual(ours.toSorted());
  });

  it('says of each label what it is', () => {
    for (const [, name, labels] of scrape.text.matchAll(/^(mailsonde_\w+)\{([^}]*)\}/gm)) {
      const row = DOCUMENT.split('\n').find((line) =>
        line.includes(`\`${name!.replace(/_(bucket|sum|count)$/, '')}\``),
      );
      for (const [, label] of labels!.matchAll(/(\w+)="/g))
        if (label !== 'le') expect(row, `${name} ${label}`).toContain(`\`${label}\``);
    }
  });
});

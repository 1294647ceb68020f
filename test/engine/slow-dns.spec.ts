import { expect, it, onTestFinished } from 'vitest';
import { nodeResolver } from '../../src/resolver/judge-resolver.js';
import { startDnsServer } from '../support/dns-server.js';

/** The time of c-ares cannot be moved: this waits, so it is in a file of its own, beside which the others run. */
it('a name server that takes six seconds for every answer is heard within the eight of our patience', async () => {
  const zone = { MX: [[10, 'mx.slow.test']] as const, A: ['192.0.2.1'], AAAA: ['2001:db8::1'], delayMs: 6_000 };
  const dns = await startDnsServer({ zones: { 'slow.test': zone, 'gone.test': { delayMs: 6_000 } } });
  onTestFinished(() => dns.close());
  const resolver = nodeResolver([dns.address]);
  const names = ['slow.test', 'gone.test'];
  expect(await Promise.all(names.map((name) => resolver.mx(name)))).toMatchObject([
    { outcome: 'found', records: [{ exchange: 'mx.slow.test', preference: 10 }], ttlSeconds: 300 },
    { outcome: 'nodata' },
  ]);
});

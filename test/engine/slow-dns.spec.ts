import { expect, it, onTestFinished } from 'vitest';
import { createNodeResolver } from '../../src/mail-dns/resolver.js';
import { openDnsChannel } from '../../src/platform/dns/record-resolver.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
import { startDnsServer } from '../support/dns-server.js';

/**
 * The time of c-ares, which gives a question up after five seconds, cannot be moved: this waits, so it is in a file of its own, beside which
 * the others run. The patience is longer than the service's, so that a busy machine may be late.
 */
it('a name server that takes six seconds for every answer is heard', async () => {
  const zone = { MX: [[10, 'mx.slow.test']] as const, A: ['192.0.2.1'], AAAA: ['2001:db8::1'], delayMs: 6_000 };
  const dns = await startDnsServer({ zones: { 'slow.test': zone, 'gone.test': { delayMs: 6_000 } } });
  onTestFinished(() => dns.close());
  const resolver = createNodeResolver({
    servers: [dns.address],
    open: openDnsChannel,
    clock: systemClock,
    patienceMs: 15_000,
  });
  const names = ['slow.test', 'gone.test'];
  expect(await Promise.all(names.map((name) => resolver.mx(name)))).toMatchObject([
    { outcome: 'found', records: [{ exchange: 'mx.slow.test', preference: 10 }], ttlSeconds: 300 },
    { outcome: 'nodata' },
  ]);
});

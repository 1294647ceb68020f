import { describe, expect, it } from 'vitest';

import { verifyInOrder } from '../../src/cli/verify/verify-in-order.js';
import { startMailWorld } from '../support/mail-world.js';
import type { DnsReply } from '../support/dns-server.js';

describe('A list in no order', () => {
  it('A list in no order is read so far ahead that addresses of a host which are far apart share a connection', async () => {
    const hosts = 60;
    const zones: Record<string, DnsReply> = {};
    for (let host = 0; host < hosts; host++) {
      zones[`d${host}.example.com`] = { MX: [[10, `mx.d${host}.example.com`]] };
      zones[`mx.d${host}.example.com`] = { A: ['127.0.0.1'] };
    }
    let allRead = () => {};
    const untilAllRead = new Promise<undefined>((resolve) => (allRead = () => resolve(undefined)));
    const { engine, smtp } = await startMailWorld({ zones, smtp: { onConnect: () => untilAllRead } });
    function* list() {
      for (let index = 0; index < 11_000; index++) yield `user${index}@d${index % hosts}.example.com`;
      allRead();
    }

    // Hosts greet nobody before the last address is read.
    const counts = await verifyInOrder(engine, list(), () => Promise.resolve());
    expect(counts).toEqual({ valid: 0, invalid: 0, risky: 11_000, unknown: 0 });
    expect(smtp.connections.length).toBeLessThanOrEqual(hosts * 5);
  });
});

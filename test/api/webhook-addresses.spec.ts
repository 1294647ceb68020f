import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

/** The port of a listener on loopback that nothing may reach. */
const PORT = '{port}';

/** Refused when they are registered. */
const REFUSED: readonly [why: string, url: string][] = [
  ['loopback', `http://127.0.0.1:${PORT}/`],
  ['loopback, another address of it', `http://127.8.8.8:${PORT}/`],
  ['loopback in decimal', `http://2130706433:${PORT}/`],
  ['loopback in hexadecimal', `http://0x7f000001:${PORT}/`],
  ['loopback in octal', `http://0177.0.0.1:${PORT}/`],
  ['loopback, mixed', `http://0x7f.0.0.01:${PORT}/`],
  ['loopback, shortened', `http://127.1:${PORT}/`],
  ['loopback in full-width digits', `http://１２７.０.０.１:${PORT}/`],
  ['loopback in circled digits and ideographic dots', `http://①②⑦。⓪。⓪。①:${PORT}/`],
  ['loopback, percent-encoded', `http://%31%32%37.0.0.1:${PORT}/`],
  ['loopback with a dot behind it', `http://127.0.0.1.:${PORT}/`],
  ['this host', `http://0.0.0.0:${PORT}/`],
  ['this host, shortened', `http://0:${PORT}/`],
  ['IPv6 loopback', `http://[::1]:${PORT}/`],
  ['IPv6 loopback, written out', `http://[0:0:0:0:0:0:0:1]:${PORT}/`],
  ['IPv6 unspecified', `http://[::]:${PORT}/`],
  ['IPv4-mapped loopback', `http://[::ffff:127.0.0.1]:${PORT}/`],
  ['IPv4-mapped loopback in hexadecimal', `http://[::ffff:7f00:1]:${PORT}/`],
  ['IPv4-compatible loopback', `http://[::127.0.0.1]:${PORT}/`],
  ['6to4 of loopback', `http://[2002:7f00:1::]:${PORT}/`],
  ['6to4 of a private address', 'http://[2002:c0a8:101::1]/'],
  ['NAT64 of loopback', `http://[64:ff9b::127.0.0.1]:${PORT}/`],
  ['NAT64 of metadata', 'http://[64:ff9b::a9fe:a9fe]/'],
  ['Teredo', 'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
  ['unique local', 'http://[fd00:ec2::254]/'],
  ['link-local IPv6', 'http://[fe80::1]/'],
  ['multicast IPv6', 'http://[ff02::1]/'],
  ['private 10', 'http://10.0.0.1/'],
  ['private 172.16', 'http://172.16.0.1/'],
  ['private 192.168', 'http://192.168.1.1/'],
  ['carrier-grade NAT', 'http://100.64.0.1/'],
  ['metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['metadata in decimal', 'http://2852039166/'],
  ['multicast', 'http://224.0.0.1/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['localhost', `http://localhost:${PORT}/`],
  ['localhost with the root’s dot', `http://localhost.:${PORT}/`],
  ['LOCALHOST in a subdomain', `http://Hook.LocalHost:${PORT}/`],
  ['a name of the local network', 'http://printer.local/'],
  ['a name of a cloud', 'http://metadata.google.internal/'],
  ['a name without a dot', `http://intranet:${PORT}/`],
  ['a user name and a password', 'https://user:password@hooks.example.com/'],
  ['a user name that looks like a host', `http://hooks.example.com@127.0.0.1:${PORT}/`],
  ['another scheme', 'ftp://hooks.example.com/'],
  ['a file', 'file:///etc/passwd'],
  ['a port of another service', 'https://hooks.example.com:6379/'],
  ['a name that points to loopback', `http://loopback.example.com:${PORT}/`],
  ['a name that points to IPv6 loopback', `http://loopback6.example.com:${PORT}/`],
  ['a name that points to a public address and to loopback', `http://mixed.example.com:${PORT}/`],
  ['a name that is another one for loopback', `http://alias.example.com:${PORT}/`],
];

/** Nothing is wrong with them until they are connected to. */
const REFUSED_LATER: readonly [why: string, url: string][] = [
  ['a name that points elsewhere when it is connected to', `http://rebind.example.com:${PORT}/`],
  ['a name that is unknown at first', `http://later.example.com:${PORT}/`],
];

let service: TestService;
let dns: DnsServer;
let listeners: Server[];
let port: number;
let reached = 0;
let key: string;

beforeAll(async () => {
  dns = await startDnsServer({
    zones: {
      'hooks.example.com': { A: ['93.184.215.14'] },
      'loopback.example.com': { A: ['127.0.0.1'] },
      'loopback6.example.com': { AAAA: ['::1'] },
      'mixed.example.com': { A: ['93.184.215.14', '127.0.0.1'] },
      'alias.example.com': { CNAME: 'loopback.example.com' },
      'rebind.example.com': { A: ['93.184.215.14'] },
    },
  });
  const first = createServer(() => (reached += 1)).listen(0, '127.0.0.1');
  await once(first, 'listening');
  ({ port } = first.address() as AddressInfo);
  const second = createServer(() => (reached += 1)).listen(port, '::1');
  await once(second, 'listening');
  listeners = [first, second];
  // All that could be in the way of these URLs beside their address is taken away.
  const env = { webhookAllowInsecure: true, webhookPorts: ['80', '443', String(port)], dnsServers: [dns.address] };
  service = await startService({ env });
  key = (await createFullAccount({ url: service.env.databaseUrl })).liveKey;
});

afterAll(async () => {
  await service.close();
  await dns.close();
  for (const listener of listeners) listener.close();
});

const register = (url: string) =>
  call(service, '/api/v1/webhooks', { key, body: { url: url.replace(PORT, String(port)) } });

describe('a webhook to an address that is not public', () => {
  it.each(REFUSED)(
    'a webhook to an address that is not public is refused when it is registered: %s (%s)',
    async (_, url) => {
      const { status, body } = await register(url);
      expect([status, body.fields?.[0].field]).toEqual([422, 'url']);
      expect(reached).toBe(0);
    },
  );

  it.each(REFUSED_LATER)(
    'a webhook to an address that is not public is refused when it is connected to: %s',
    async (_, url) => {
      const { status, body: endpoint } = await register(url);
      expect(status).toBe(201);
      dns.set(new URL(url.replace(PORT, '80')).hostname, { A: ['127.0.0.1'], AAAA: ['::1'], ttlSeconds: 0 });
      const path = `/api/v1/webhooks/${endpoint.id}`;
      const { body: delivery } = await call(service, `${path}/test`, { key, method: 'POST' });
      const attempts = async () =>
        (await call(service, `/api/v1/webhooks/deliveries/${delivery.id}`, { key })).body.attempts;
      await expect.poll(async () => (await attempts()).length).toBe(1);
      expect(await attempts()).toMatchObject([{ status: null, error: 'address_refused', reply: '' }]);
      expect(reached).toBe(0);
      await call(service, path, { key, method: 'DELETE' });
    },
  );

  it('a webhook to an address that is not public is refused when it is changed to one', async () => {
    const { body: endpoint } = await register('https://hooks.example.com/');
    const url = `http://127.0.0.1:${port}/`;
    const { status } = await call(service, `/api/v1/webhooks/${endpoint.id}`, { key, body: { url }, method: 'PATCH' });
    expect(status).toBe(422);
  });
});

it('a webhook goes to https alone unless the installation says otherwise', async () => {
  const strict = await startService();
  const account = await createFullAccount({ url: strict.env.databaseUrl });
  const url = 'http://93.184.215.14/';
  const { body } = await call(strict, '/api/v1/webhooks', { key: account.liveKey, body: { url } });
  expect(body.fields).toEqual([{ field: 'url', error: 'url must be an https:// address' }]);
  const secure = 'https://93.184.215.14/';
  expect((await call(strict, '/api/v1/webhooks', { key: account.liveKey, body: { url: secure } })).status).toBe(201);
  await strict.close();
});

import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StsFetcher } from '../../src/deliverability/domains/guarded-fetch.js';
import { selfSigned } from '../support/certificate.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';

const POLICY = 'version: STSv1\nmode: enforce\nmx: mx.example.com\nmax_age: 604800\n';

/** What each domain's web server answers. */
const ANSWERS: Readonly<Record<string, RequestListener>> = {
  'mta-sts.example.com': (request, response) =>
    response
      .writeHead(request.url === '/.well-known/mta-sts.txt' ? 200 : 404, {
        'content-type': 'Text/Plain; charset=utf-8',
      })
      .end(POLICY),
  'mta-sts.page.example': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(POLICY),
  'mta-sts.typeless.example': (_, response) => response.writeHead(200).end(POLICY),
  'mta-sts.odd.example': (_, response) =>
    response.writeHead(200, { 'content-type': '<script>alert(1)</script>' }).end(POLICY),
  'mta-sts.moved.example': (_, response) => response.writeHead(301, { location: 'https://mta-sts.example.com/' }).end(),
  'mta-sts.gone.example': (_, response) => response.writeHead(404).end(),
  'mta-sts.large.example': (_, response) => response.writeHead(200).end('x'.repeat(100_000)),
  'mta-sts.endless.example': (_, response) => {
    response.writeHead(200);
    const write = (): void => void (response.destroyed || response.write('x'.repeat(16_384), write));
    write();
  },
};

describe('the policy of MTA-STS', () => {
  let cert: string;
  let server: Server;
  let dns: DnsServer;
  let port: number;
  const served: string[] = [];

  beforeAll(async () => {
    const own = selfSigned({ names: Object.keys(ANSWERS) });
    ({ cert } = own);
    server = createServer(own, (incoming, response) => {
      const [host = ''] = (incoming.headers.host ?? '').split(':');
      served.push(host);
      ANSWERS[host]!(incoming, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    const here = { A: ['127.0.0.1'] };
    const hosts = [...Object.keys(ANSWERS), 'mta-sts.other.example'];
    dns = await startDnsServer({ zones: Object.fromEntries(hosts.map((name) => [name, here])) });
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await dns.close();
  });

  async function fetched(domain: string, signer: string | null = cert) {
    const fetcher = new StsFetcher({
      dnsServers: [dns.address],
      port,
      ...(signer !== null && { ca: signer }),
      mayConnect: () => true,
    });
    try {
      return await fetcher.fetch(domain);
    } finally {
      await fetcher.close();
    }
  }

  it.each([
    ['example.com', 'text/plain'],
    ['page.example', 'text/html'],
    ['typeless.example', null],
    ['odd.example', null],
  ])('the policy of MTA-STS is fetched where %s serves it, with the type %s', async (domain, mediaType) => {
    expect(await fetched(domain)).toEqual({ outcome: 'found', text: POLICY, mediaType });
  });

  it.each([
    ['moved.example', 'its host answers 301, and no redirect is followed'],
    ['gone.example', 'its host answers 404'],
    ['large.example', 'it has more than 65536 bytes'],
    ['endless.example', 'it has more than 65536 bytes'],
    ['nowhere.example', 'its host does not exist'],
    ['other.example', 'its host has a certificate that senders refuse (ERR_TLS_CERT_ALTNAME_INVALID)'],
  ])('the policy of MTA-STS is not had of %s: %s', async (domain, why) => {
    expect(await fetched(domain)).toEqual({ outcome: 'failed', why });
  });

  it('the policy of MTA-STS is not believed under a certificate that nobody known has signed', async () => {
    const reply = await fetched('example.com', null);
    expect(reply).toMatchObject({ outcome: 'failed', why: expect.stringContaining('certificate that senders refuse') });
  });

  it('the policy of MTA-STS is never looked for at an address that is not public', async () => {
    served.length = 0;
    const fetcher = new StsFetcher({ dnsServers: [dns.address], port, ca: cert });
    expect(await fetcher.fetch('example.com')).toMatchObject({ why: expect.stringContaining('not public') });
    await fetcher.close();
    expect(served).toEqual([]);
  });
});

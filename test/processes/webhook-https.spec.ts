import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { type Certificate, selfSigned } from '../support/certificate.js';
import { createTestDatabase } from '../support/database.js';
import { startDnsServer } from '../support/dns-server.js';
import { startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

const NAME = 'hooks.example.com';

it('a webhook goes over https to a host whose certificate is trusted and names it, and to no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = selfSigned({ names: [NAME] });
  const authority = join(folder, 'cert.pem');
  writeFileSync(authority, own.cert);
  const names: unknown[] = [];
  const listen = async (certificate: Certificate): Promise<number> => {
    const receiver = createServer(certificate, (request, response) => {
      names.push([request.headers.host, (request.socket as TLSSocket & { servername: string }).servername]);
      request.resume().on('end', () => response.writeHead(204).end());
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    onTestFinished(() => void receiver.close());
    return (receiver.address() as AddressInfo).port;
  };
  const port = await listen(own);
  const untrusted = await listen(selfSigned({ names: [NAME] }));
  const dns = await startDnsServer({ zones: { '*.example.com': { A: ['127.0.0.1'] } } });
  onTestFinished(dns.close);
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const service = await startProcess({
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
    SECRETS_KEY: '11'.repeat(32),
    DNS_SERVERS: dns.address,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_PORTS: `${port},${untrusted}`,
    NODE_EXTRA_CA_CERTS: authority,
    LOG_LEVEL: 'info',
  });
  onTestFinished(async () => {
    service.kill('SIGKILL');
    await service.ended;
  });
  const { liveKey } = await createFullAccount(database);

  async function firstAttempt(host: string) {
    const body = { url: `https://${host}/hook` };
    const { body: endpoint } = await call(service, '/api/v1/webhooks', { key: liveKey, body });
    const path = `/api/v1/webhooks/${endpoint.id}/deliveries`;
    // It is asked at once.
    const attempts = async () => (await call(service, path, { key: liveKey })).body.deliveries[0].attempts;
    await expect.poll(async () => (await attempts()).length).toBeGreaterThan(0);
    return (await attempts())[0];
  }

  expect(await firstAttempt(`${NAME}:${port}`)).toMatchObject({ status: 204, error: null });
  expect(names).toEqual([[`${NAME}:${port}`, NAME]]);
  for (const host of [`other.example.com:${port}`, `${NAME}:${untrusted}`])
    expect(await firstAttempt(host)).toMatchObject({ status: null, error: 'tls_failed' });
  expect(names).toHaveLength(1);
});

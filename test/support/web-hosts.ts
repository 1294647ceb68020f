import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDnsServer } from './dns-server.js';

export const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;

/** Web hosts on loopback with one certificate for all of them, and a DNS that leads to them. */
export interface WebHosts {
  /** As `GuardedFetch` takes them. */
  readonly options: {
    readonly dnsServers: readonly string[];
    readonly port: number;
    readonly ca: string;
    readonly mayConnect: () => boolean;
  };
  /** Host and path of every request so far. */
  readonly served: readonly string[];
  close(): Promise<void>;
}

/** @param answers what each host answers, by its name */
export async function startWebHosts(answers: Readonly<Record<string, RequestListener>>): Promise<WebHosts> {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-web-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const names = Object.keys(answers).map((name) => `DNS:${name}`);
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout ${keyFile} -out ${certFile}`;
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${names.join(',')}`];
  const { status, stderr } = spawnSync('openssl', [...request.split(' '), ...subject]);
  if (status !== 0) throw new Error(String(stderr));
  const ca = readFileSync(certFile, 'utf8');
  const served: string[] = [];
  const server = createServer({ cert: ca, key: readFileSync(keyFile) }, (incoming, response) => {
    const [host = ''] = (incoming.headers.host ?? '').split(':');
    served.push(`${host}${incoming.url}`);
    answers[host]!(incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dns = await startDnsServer({
    zones: Object.fromEntries(Object.keys(answers).map((name) => [name, { A: ['127.0.0.1'] }])),
  });
  return {
    options: { dnsServers: [dns.address], port, ca, mayConnect: () => true },
    served,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await dns.close();
      rmSync(folder, { recursive: true });
    },
  };
}

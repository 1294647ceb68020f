import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from './certificate.js';
import { startDnsServer } from './dns-server.js';

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
  const { cert: ca, key } = selfSigned({ names: Object.keys(answers) });
  const served: string[] = [];
  const server = createServer({ cert: ca, key }, (incoming, response) => {
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
    },
  };
}

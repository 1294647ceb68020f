import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';

import {
  createEngine,
  createLists,
  parseMailProviders,
  type Engine,
  type EngineOptions,
  type ListFiles,
  NO_LISTS,
} from '../../src/engine/verification/engine.js';
import { decisionTable } from '../../src/verify/ports/decision-table-file.js';
import { nodePorts } from '../../src/verify/ports/node-ports.js';
import { startDnsServer, type DnsReply, type DnsServer } from './dns-server.js';
import { startScriptedSmtpServer, type ScriptedSmtpServer, type SmtpScript } from './scripted-smtp-server.js';

const providersJson: unknown = JSON.parse(
  readFileSync(new URL('../../config/mail-providers.json', import.meta.url), 'utf8'),
);

export interface MailWorldOptions {
  readonly zones?: Readonly<Record<string, DnsReply>>;
  /** What the mail host at 127.0.0.1 does; null for none there. */
  readonly smtp?: SmtpScript | null;
  readonly lists?: Partial<ListFiles>;
  readonly engine?: Partial<Omit<EngineOptions, 'ports'>>;
  readonly ports?: Partial<EngineOptions['ports']>;
}

/** Zones of a domain with a second mail host, at 127.0.0.2. */
export const TWO_HOSTS = {
  'example.com': {
    MX: [
      [10, 'mx1.example.com'],
      [20, 'mx2.example.com'],
    ],
  },
  'mx1.example.com': { A: ['127.0.0.1'] },
  'mx2.example.com': { A: ['127.0.0.2'] },
} as const;

export interface MailWorld {
  readonly engine: Engine;
  readonly dns: DnsServer;
  readonly smtp: ScriptedSmtpServer;
  /** A further mail host on another loopback address and the same port. */
  addHost(host: string, script?: SmtpScript): Promise<ScriptedSmtpServer>;
}

/**
 * An engine with real DNS packets and SMTP dialogues on loopback. `example.com` has its mail host at 127.0.0.1 unless `zones`
 * say otherwise. Ends with the test.
 */
export async function startMailWorld(options: MailWorldOptions = {}): Promise<MailWorld> {
  const zones = {
    'example.com': { MX: [[10, 'mx.example.com']] },
    'mx.example.com': { A: ['127.0.0.1'] },
    ...options.zones,
  } as Record<string, DnsReply>;
  const dns = await startDnsServer({ zones });
  const smtp = await startScriptedSmtpServer(options.smtp ?? {});
  if (options.smtp === null) await smtp.close();
  const ports = nodePorts({ dnsServers: [dns.address] });
  const lists = createLists({ ...NO_LISTS, ...options.lists });
  const engine = createEngine({
    ports: { ...ports, ...options.ports },
    providers: parseMailProviders(providersJson),
    decisionTable: decisionTable(),
    lists: () => lists,
    identity: { heloName: 'probe.example.net', mailFrom: 'probe@example.net', port: smtp.port },
    mxAllowedNetworks: ['127.0.0.0/8'],
    ...options.engine,
  });
  onTestFinished(async () => {
    engine.close();
    await Promise.all([dns.close(), smtp.close()]);
  });
  return {
    engine,
    dns,
    smtp,
    addHost: async (host, script = {}) => {
      const server = await startScriptedSmtpServer({ ...script, host, port: smtp.port });
      onTestFinished(() => server.close());
      return server;
    },
  };
}

import { onTestFinished } from 'vitest';
import { type DnsServer, KNOWN_DOMAIN, startDnsServer } from './dns-server.js';
import { type ScriptedSmtpServer, type SmtpScript, startScriptedSmtpServer } from './scripted-smtp-server.js';

/** One mail host at one place for all domains. Ends with the test. */
export interface MailHostOfAll {
  readonly dns: DnsServer;
  readonly smtp: ScriptedSmtpServer;
  /** What a service in this process is told of it. */
  readonly env: {
    readonly dnsServers: readonly string[];
    readonly smtpPort: number;
    readonly mxAllowedNetworks: readonly string[];
  };
  /** The same for a process of its own. */
  readonly variables: Readonly<
    Record<'DNS_SERVERS' | 'DNS_KNOWN_DOMAINS' | 'SMTP_PORT' | 'MX_ALLOWED_NETWORKS', string>
  >;
}

/** @param mxOf a domain's name of the host, which begins with `mx`, or null for a domain that does not exist; a promise lets a test hold the answer back */
export async function startMailHostOfAll(
  script: SmtpScript,
  mxOf: (domain: string) => string | null | Promise<string | null> = (domain) => `mx.${domain}`,
): Promise<MailHostOfAll> {
  const dns = await startDnsServer({
    answer: async (name, type) => {
      if (type === 'MX') {
        const host = await mxOf(name);
        return host === null ? undefined : { MX: [[10, host]] };
      }
      return name.startsWith('mx') ? { A: ['127.0.0.1'] } : undefined;
    },
  });
  const smtp = await startScriptedSmtpServer(script);
  onTestFinished(async () => void (await Promise.all([dns.close(), smtp.close()])));
  return {
    dns,
    smtp,
    env: { dnsServers: [dns.address], smtpPort: smtp.port, mxAllowedNetworks: ['127.0.0.0/8'] },
    variables: {
      DNS_SERVERS: dns.address,
      DNS_KNOWN_DOMAINS: KNOWN_DOMAIN,
      SMTP_PORT: String(smtp.port),
      MX_ALLOWED_NETWORKS: '127.0.0.0/8',
    },
  };
}

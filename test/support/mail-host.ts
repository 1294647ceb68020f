import { onTestFinished } from 'vitest';
import { startDnsServer } from './dns-server.js';
import { type ScriptedSmtpServer, type SmtpScript, startScriptedSmtpServer } from './scripted-smtp-server.js';

/** A mail host of all domains, each of which has it at `mx.<domain>`. Ends with the test. */
export interface MailHostOfAll {
  readonly smtp: ScriptedSmtpServer;
  /** What a service in this process is told of it. */
  readonly env: {
    readonly dnsServers: readonly string[];
    readonly smtpPort: number;
    readonly allowPrivateMx: readonly string[];
  };
  /** The same for a process of its own. */
  readonly variables: Readonly<Record<'DNS_SERVERS' | 'SMTP_PORT' | 'ALLOW_PRIVATE_MX', string>>;
}

export async function startMailHostOfAll(script: SmtpScript): Promise<MailHostOfAll> {
  const dns = await startDnsServer({
    answer: (name, type) => {
      if (type === 'MX') return { MX: [[10, `mx.${name}`]] };
      return name.startsWith('mx.') ? { A: ['127.0.0.1'] } : undefined;
    },
  });
  const smtp = await startScriptedSmtpServer(script);
  onTestFinished(async () => void (await Promise.all([dns.close(), smtp.close()])));
  return {
    smtp,
    env: { dnsServers: [dns.address], smtpPort: smtp.port, allowPrivateMx: ['127.0.0.0/8'] },
    variables: { DNS_SERVERS: dns.address, SMTP_PORT: String(smtp.port), ALLOW_PRIVATE_MX: '127.0.0.0/8' },
  };
}

import { onTestFinished } from 'vitest';
import { KNOWN_DOMAIN, startDnsServer, type DnsReply } from './dns-server.js';
import { startScriptedSmtpServer, type ScriptedSmtpServer, type SmtpScript } from './scripted-smtp-server.js';

/** A name server and a mail host for commands that run as processes of their own. */
export interface CommandWorld {
  /** The environment that leads a command to them. */
  readonly variables: Readonly<Record<string, string>>;
  readonly smtp: ScriptedSmtpServer;
}

/** `example.com` has its mail host at 127.0.0.1. Ends with the test. */
export async function startCommandWorld(
  smtpScript: SmtpScript = {},
  zones: Readonly<Record<string, DnsReply>> = {},
): Promise<CommandWorld> {
  const standing = { 'example.com': { MX: [[10, 'mx.example.com']] }, 'mx.example.com': { A: ['127.0.0.1'] } } as const;
  const dns = await startDnsServer({ zones: { ...standing, ...zones } });
  const smtp = await startScriptedSmtpServer(smtpScript);
  onTestFinished(async () => {
    await Promise.all([dns.close(), smtp.close()]);
  });
  const variables = {
    DNS_SERVERS: dns.address,
    DNS_KNOWN_DOMAINS: KNOWN_DOMAIN,
    SMTP_PORT: String(smtp.port),
    MX_ALLOWED_NETWORKS: '127.0.0.0/8',
    HELO_NAME: 'probe.example.net',
    MAIL_FROM: 'probe@example.net',
  };
  return { variables, smtp };
}

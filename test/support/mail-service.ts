import { type DnsServer, type DnsServerOptions, startDnsServer } from './dns-server.js';
import { startService, type TestService, type TestServiceOptions } from './service.js';

interface MailHost {
  readonly port: number;
  close(): Promise<void>;
}

interface MailServiceOptions<Host extends MailHost> extends TestServiceOptions {
  /** The mail host at 127.0.0.1, as its server starts. */
  readonly host: Promise<Host>;
  /** What the DNS knows; without it, the host takes the mail of every domain. */
  readonly dns?: DnsServerOptions;
}

/** The host at `mx.` of each domain. */
const EVERY_DOMAIN: DnsServerOptions = {
  answer: (name, type) => {
    if (type === 'MX') return { MX: [[10, `mx.${name}`]] };
    return name.startsWith('mx.') ? { A: ['127.0.0.1'] } : undefined;
  },
};

/** A service with the DNS and the mail host that it asks, which end with it. */
export async function startMailService<Host extends MailHost>({
  host,
  dns: known = EVERY_DOMAIN,
  env,
  ...options
}: MailServiceOptions<Host>): Promise<TestService & { readonly dns: DnsServer; readonly smtp: Host }> {
  const [smtp, dns] = await Promise.all([host, startDnsServer(known)]);
  const asked = { dnsServers: [dns.address], smtpPort: smtp.port, mxAllowedNetworks: ['127.0.0.0/8'] };
  const service = await startService({ ...options, env: { ...asked, ...env } });
  const close = async (): Promise<void> => {
    await service.close();
    await Promise.all([smtp.close(), dns.close()]);
  };
  return { ...service, dns, smtp, close };
}

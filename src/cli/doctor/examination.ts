import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../../mail-dns/public-address.js';
import type { ResolverFinding } from '../../mail-dns/resolver-check.js';
import type { Dialer, EgressSource } from '../../engine/ports.js';
import type { Verification } from '../../engine/types.js';
import type { Env } from '../../platform/config/env.js';
import type { Outside } from '../../sending/sources/watch/outside.js';
import { identityOf } from '../../verify/ports/smtp-identity.js';
import { createDoctorDns, examineResolver, examineReportPermission } from './dns-checks.js';
import { skipped, type CheckResult, fail, pass } from './check-result.js';
import { examineDomain } from './domain-check.js';
import type { DomainFactsReader } from './domain-facts-reader.js';
import {
  examineHelo,
  domainOf,
  examineBounces,
  examineMailboxes,
  examineBlockLists,
  examineSources,
} from './identity-checks.js';
import { examinePort25, type Target } from './port25-check.js';
import { examineSpf } from './spf-check.js';
import { connectionsWithin } from '../../verify/ports/node-ports.js';

export interface ExaminationOptions {
  readonly port25Target: Target | null;
  /** The public source address of connections, where the caller gives it. */
  readonly outgoing: string | null;
  /** Null: the domain's own mail host is not connected to. */
  readonly verify: ((address: string) => Promise<Verification>) | null;
  /** What our own domain publishes, and what others say of it as far as the caller lets them be asked. */
  readonly lookAtDomain: DomainFactsReader;
  /** Who is asked about names, for block lists, and how sources look. */
  readonly outside: Outside;
  /** The sources that this machine uses by `EGRESS_FILE`; empty without one. */
  readonly sources: readonly EgressSource[];
  /** Whether what the engine asks tells the truth; null when that could not be told. */
  readonly checkDns: () => Promise<ResolverFinding | null>;
  readonly dialer: Dialer;
  /** Files that a process may open; null when that is not known. */
  readonly maxOpenFiles: number | null;
}

/** Examines everything that mail hosts look at before they trust a stranger. Connects only to hosts that the caller named. */
export async function examine(env: Env, options: ExaminationOptions): Promise<CheckResult[]> {
  const { port25Target, verify, outside, checkDns, dialer } = options;
  const dns = createDoctorDns(outside.dns);
  const { heloName, mailFrom } = identityOf(env);
  const port25 = await examinePort25(port25Target, dialer, dns);
  const outgoing = options.outgoing ?? publicOnly(port25.localAddress);
  const examineIdentity = async (): Promise<CheckResult[]> => {
    const helo = await examineHelo(heloName, env.heloName !== null, outgoing, dns);
    const ours = outgoing === null ? helo.addresses : [outgoing];
    const blockLists = await examineBlockLists(ours.filter(isPublicAddress), outside);
    return [helo.finding, await examineSpf(domainBehind({ helo: heloName, mailFrom }), ours, outside.dns), blockLists];
  };
  const examineSender = async (sender: string): Promise<CheckResult[]> =>
    sender === ''
      ? [skipped('bounces', NULL_SENDER, 'Set MAIL_FROM to a mailbox of yours.')]
      : [await examineBounces(domainOf(sender), dns), await examineMailboxes(sender, verify)];
  // HELO_NAME and MAIL_FROM are nobody's where the file names sources.
  const hasSources = options.sources.length > 0;
  const identities = hasSources ? options.sources : [{ helo: heloName, mailFrom }];
  const senders = new Set(identities.map((identity) => identity.mailFrom));
  const domains = new Set(identities.map(domainBehind));
  return [
    examineResolver(await checkDns(), env.dnsKnownDomains),
    port25.finding,
    examineSockets(env.smtpConnections, options.maxOpenFiles),
    ...(hasSources ? await examineSources(options.sources, outside) : await examineIdentity()),
    ...(await examineReplica(env)),
    await examineReportPermission(env.inboundDomain, dns),
    ...(await Promise.all([...senders].map(examineSender))).flat(),
    ...(
      await Promise.all([...domains].map((domain) => examineDomain(domain, options.lookAtDomain, Date.now())))
    ).flat(),
  ];
}

/** What others hold responsible: the domain of MAIL FROM, or the HELO name where that is null (RFC 7208 section 2.4). */
function domainBehind({ helo, mailFrom }: Pick<EgressSource, 'helo' | 'mailFrom'>): string {
  return mailFrom === '' ? helo.toLowerCase() : domainOf(mailFrom);
}

/** Behind address translation our own end says nothing about what others see. */
function publicOnly(address: string | null): string | null {
  return address !== null && ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast' ? address : null;
}

const NULL_SENDER = 'MAIL_FROM is not set: the null sender gets no bounces, and some hosts refuse it';

/** Whether a process may open as many connections to mail hosts as it is told to. */
export function examineSockets(wanted: number, files: number | null): CheckResult {
  if (files === null) return skipped('sockets', 'this system does not say how many files a process may open');
  const allowed = connectionsWithin(wanted, files);
  const limit = `a process may open ${files} files and sockets`;
  if (allowed === wanted) return pass('sockets', `${limit}, enough for SMTP_CONNECTIONS=${wanted}`);
  return fail(
    'sockets',
    `${limit}, half of them to mail hosts: ${allowed} instead of SMTP_CONNECTIONS=${wanted}`,
    'Raise the limit (ulimit -n, LimitNOFILE= of systemd, ulimits of a container), or lower SMTP_CONNECTIONS.',
  );
}

/** Reads do not wait for a replica that is further behind. */
const MAX_LAG_SECONDS = 2;

/** Whether the replica of `DATABASE_READ_URL` can be read from; nothing where none is configured. */
export async function examineReplica({
  databaseUrl,
  databaseReadUrl,
}: Pick<Env, 'databaseUrl' | 'databaseReadUrl'>): Promise<CheckResult[]> {
  if (databaseUrl === null || databaseReadUrl === null) return [];
  // Only who has a replica pays for the client of PostgreSQL.
  const { probeReplica } = await import('../../platform/database/replica-probe.js');
  try {
    const { isReplica, seconds } = await probeReplica(databaseUrl, databaseReadUrl);
    if (!isReplica) return [fail('replica', NO_REPLICA, 'Let it lead to a hot standby, or take it away.')];
    const lag = `it is ${seconds!.toFixed(1)} s behind`;
    if (seconds! > MAX_LAG_SECONDS)
      return [fail('replica', `${lag}: the primary is read from`, 'Look at pg_stat_replication of the primary.')];
    return [pass('replica', seconds === 0 ? 'it has all that the primary has' : lag)];
  } catch (error) {
    const says = (error as Error).message.replaceAll(/\s+/g, ' ');
    return [fail('replica', `it or its primary cannot be asked: ${says}`, 'Reads go to the primary until it answers.')];
  }
}

const NO_REPLICA = 'DATABASE_READ_URL leads to a server that is no replica of DATABASE_URL: the primary is read from';

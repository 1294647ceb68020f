import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import type { Owner } from '../../keys/access/owner.js';
import { DmarcIntakeService } from './dmarc-intake.service.js';
import { TlsIntakeService } from './tls-intake.service.js';
import type { ReportAddress } from './report-addresses.store.js';
import type { AggregateReport, ReportRow } from './reader/aggregate-report.js';
import type { TlsReport } from './reader/tls-report.js';

/** The first report came before the domain was learned, so that the source of the second one is told of. */
const FIRST_BEFORE_MS = 4 * DAY_MS;

/**
 * What test mode receives: a domain's own server in two reports, and in the second one somebody else who sends in its name; and one report on
 * encryption, of a mail host whose certificate has ended.
 */
@Injectable()
export class SimulatedReportsService {
  constructor(
    private readonly keeping: DmarcIntakeService,
    private readonly keepingTls: TlsIntakeService,
  ) {}

  /** Once, however often it is asked for. */
  async make({ accountId }: Owner, { monitorId, domain, simulated }: ReportAddress, now: Date): Promise<void> {
    const reported = { monitorId, accountId, simulated, domain };
    const own = rowOf('192.0.2.10', 120, true, domain);
    const arrival = { at: now, reporter: null };
    const before = new Date(now.getTime() - FIRST_BEFORE_MS);
    await this.keeping.keep(reported, reportOf('simulated-1', before, domain, [own]), { at: before, reporter: null });
    const forged = rowOf('198.51.100.7', 40, false, domain);
    await this.keeping.keep(reported, reportOf('simulated-2', now, domain, [own, forged]), arrival);
    await this.keepingTls.keep(reported, tlsReportOf(now, domain), arrival);
  }
}

function reportOf(reportId: string, at: Date, domain: string, rows: readonly ReportRow[]): AggregateReport {
  const none = { sp: null, np: null, adkim: null, aspf: null, pct: null };
  return {
    form: 'rfc9990',
    organization: 'receiver.example',
    reportId,
    begin: new Date(at.getTime() - DAY_MS),
    end: at,
    domain,
    policy: { ...none, p: 'none', testing: 'n', discoveryMethod: 'treewalk' },
    generator: null,
    rows,
    recordsLeftOut: 0,
  };
}

function rowOf(source: string, messages: number, passes: boolean, domain: string): ReportRow {
  return {
    source,
    messages,
    disposition: 'none',
    dkimAligned: passes,
    spfAligned: passes,
    headerFrom: domain,
    dkimResult: passes ? 'pass' : null,
    dkimDomain: passes ? domain : null,
    spfResult: passes ? 'pass' : 'fail',
    spfDomain: domain,
    override: null,
  };
}

function tlsReportOf(at: Date, domain: string): TlsReport {
  const expired = {
    result: 'certificate-expired',
    mailHost: `mx2.${domain}`,
    mailHostAddress: '192.0.2.26',
    senderAddress: '198.51.100.20',
    reason: null,
    sessions: 12,
  };
  const policy = { type: 'sts', domain, successful: 300, failed: 12, failures: [expired], leftOut: 0 } as const;
  const begin = new Date(at.getTime() - DAY_MS);
  return { organization: 'sender.example', reportId: 'simulated-tls', begin, end: at, policies: [policy] };
}

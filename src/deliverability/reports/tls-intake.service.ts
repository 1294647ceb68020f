import { Injectable } from '@nestjs/common';
import { columnsOf, insertRow } from '../../platform/database/rows.js';
import { randomId } from '../../platform/random-id.js';
import type { ReportedDomain } from './report-addresses.store.js';
import { isWithin } from './reader/aggregate-report.js';
import type { TlsPolicy, TlsReport } from './reader/tls-report.js';
import { type Arrival, isTimeOfReport, type Keeping, ReportIntakeStore } from './report-intake.store.js';

/**
 * Keeps a report on encryption for the domain whose address it was sent to, as `DmarcIntakeService` does with those of DMARC. Policies of other
 * domains are left out. Nobody is told: what is wrong with the domain's encryption a monitor sees by itself.
 */
@Injectable()
export class TlsIntakeService {
  constructor(private readonly reports: ReportIntakeStore) {}

  async keep({ domain, monitorId }: ReportedDomain, whole: TlsReport, arrival: Arrival): Promise<Keeping> {
    const named = whole.policies.map((policy) => ({ ...policy, domain: policy.domain ?? domain }));
    const policies = named.filter((policy) => isWithin(policy.domain, domain));
    if (policies.length === 0) return 'other_domain';
    if (!isTimeOfReport(whole, arrival.at)) return 'other_time';
    const { organization, reportId } = whole;
    const rows = policies.flatMap(({ type, failures }) => failures.map((failure) => ({ type, ...failure })));
    const key = { organization, report_id: reportId };
    const incoming = { ...arrival, monitorId, key, rows: rows.length };
    return await this.reports.keep('tls_reports', incoming, async (tx) => {
      const id = randomId();
      const sum = (of: (policy: TlsPolicy) => number): number =>
        policies.reduce((total, policy) => total + of(policy), 0);
      await insertRow(tx, 'tls_reports', {
        id,
        monitorId,
        ...key,
        begins_at: whole.begin,
        ends_at: whole.end,
        policies: JSON.stringify(
          policies.map(({ type, domain, successful, failed }) => ({ type, domain, successful, failed })),
        ),
        successful: sum(({ successful }) => successful),
        failed: sum(({ failed }) => failed),
        row_count: rows.length,
        left_out: sum(({ leftOut }) => leftOut),
        received_at: arrival.at,
        reporter: arrival.reporter,
      });
      const names = ['type', 'result', 'mailHost', 'mailHostAddress', 'senderAddress', 'reason', 'sessions'] as const;
      await tx.query(
        `INSERT INTO tls_failures (report_id, policy_type, result, mail_host, mail_host_address, sender_address, reason, sessions)
         SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::inet[], $6::inet[], $7::text[], $8::bigint[])`,
        [id, ...columnsOf(rows, names)],
      );
    });
  }
}

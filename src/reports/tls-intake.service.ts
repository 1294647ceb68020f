import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { randomId } from '../platform/random-id.js';
import type { ReportedDomain } from './report-addresses.store.js';
import { isWithin } from './reader/aggregate-report.js';
import type { TlsPolicy, TlsReport } from './reader/tls-report.js';
import { type Arrival, isTimeOfReport, type Keeping, ReportIntakeStore } from './report-intake.store.js';

/** A report whose policies all say of which domain they are. */
export interface PlacedTlsReport extends Omit<TlsReport, 'policies'> {
  readonly policies: readonly (TlsPolicy & { readonly domain: string })[];
}

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
    return await this.reports.transaction((tx) => this.keepIn(tx, monitorId, { ...whole, policies }, arrival));
  }

  private async keepIn(
    tx: EntityManager,
    monitorId: number,
    report: PlacedTlsReport,
    arrival: Arrival,
  ): Promise<Keeping> {
    if (!(await this.reports.lock(tx, monitorId))) return 'not_proven';
    if (await this.isKept(tx, monitorId, report)) return 'duplicate';
    const rows = report.policies.reduce((sum, { failures }) => sum + failures.length, 0);
    if (!(await this.reports.hasRoom(tx, 'tls_reports', { ...arrival, monitorId, rows }))) return 'too_many';
    await this.insert(tx, monitorId, randomId(), report, arrival);
    return 'kept';
  }

  private async isKept(
    tx: EntityManager,
    monitorId: number,
    { organization, reportId }: PlacedTlsReport,
  ): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      'SELECT 1 FROM tls_reports WHERE monitor_id = $1 AND organization = $2 AND report_id = $3',
      [monitorId, organization, reportId],
    );
    return rows.length > 0;
  }

  private async insert(
    tx: EntityManager,
    monitorId: number,
    id: number,
    report: PlacedTlsReport,
    { at, reporter }: Arrival,
  ): Promise<void> {
    const { policies } = report;
    const sum = (of: (policy: (typeof policies)[number]) => number): number =>
      policies.reduce((total, policy) => total + of(policy), 0);
    await tx.query(
      `INSERT INTO tls_reports (id, monitor_id, organization, report_id, begins_at, ends_at, policies, successful, failed, row_count,
                                left_out, received_at, reporter)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        id,
        monitorId,
        report.organization,
        report.reportId,
        report.begin,
        report.end,
        JSON.stringify(policies.map(({ type, domain, successful, failed }) => ({ type, domain, successful, failed }))),
        sum(({ successful }) => successful),
        sum(({ failed }) => failed),
        sum(({ failures }) => failures.length),
        sum(({ leftOut }) => leftOut),
        at,
        reporter,
      ],
    );
    const rows = policies.flatMap(({ type, failures }) => failures.map((failure) => ({ type, ...failure })));
    await tx.query(
      `INSERT INTO tls_failures (report_id, policy_type, result, mail_host, mail_host_address, sender_address, reason, sessions)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::inet[], $6::inet[], $7::text[], $8::bigint[])`,
      [
        id,
        rows.map((row) => row.type),
        rows.map((row) => row.result),
        rows.map((row) => row.mailHost),
        rows.map((row) => row.mailHostAddress),
        rows.map((row) => row.senderAddress),
        rows.map((row) => row.reason),
        rows.map((row) => row.sessions),
      ],
    );
  }
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { randomId } from '../../platform/random-id.js';
import type { ReportedDomain } from '../ownership/report-addresses.store.js';
import { isWithin } from '../reader/report-row.js';
import type { TlsReport } from '../reader/tls/tls-report.js';
import { isTimeOfReport, type Keeping } from './keeping.js';
import { type Arrival, ReportIntakeStore } from './report-intake.store.js';
import { type PlacedTlsReport, TlsIntakeStore } from './tls-intake.store.js';

/**
 * Keeps a report on encryption for the domain whose address it was sent to, as `KeepReports` does with those of DMARC. Policies of other
 * domains are left out. Nobody is told: what is wrong with the domain's encryption a monitor sees by itself.
 */
@Injectable()
export class KeepTlsReports {
  constructor(
    private readonly reports: ReportIntakeStore,
    private readonly store: TlsIntakeStore,
  ) {}

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
    if (await this.store.isKept(tx, monitorId, report)) return 'duplicate';
    const rows = report.policies.reduce((sum, { failures }) => sum + failures.length, 0);
    if (!(await this.reports.hasRoom(tx, 'tls_reports', { ...arrival, monitorId, rows }))) return 'too_many';
    await this.store.insert(tx, monitorId, randomId(), report, arrival);
    return 'kept';
  }
}

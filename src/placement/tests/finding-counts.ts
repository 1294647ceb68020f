import type { PlacementReport } from '../report/placement-report.js';
import type { ReportSeverity } from '../report/report-finding.js';

export type FindingCounts = Readonly<Record<ReportSeverity, number>>;

export function findingCounts(report: Pick<PlacementReport, 'findings'> | null): FindingCounts {
  const count = (wanted: ReportSeverity) =>
    (report?.findings ?? []).filter(({ severity }) => severity === wanted).length;
  return { critical: count('critical'), warning: count('warning'), info: count('info') };
}

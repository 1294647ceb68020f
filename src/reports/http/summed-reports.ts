import type { ReportTable } from '../report-table.js';

/**
 * Rows that one sum reads, and those of one report more. The address for reports is public: without a bound, a stranger who writes to it day
 * after day would make each sum of its owner's too slow to be answered.
 */
const MAX_SUMMED_ROWS = 200_000;

/** SQL: the reports of monitor $1 whose period begins within $2 (included) and $3 (excluded), and whether a sum has room for their rows. */
export const reportsOfPeriod = (table: ReportTable): string => `(
  SELECT *, sum(row_count) OVER (ORDER BY begins_at DESC, id DESC ROWS UNBOUNDED PRECEDING) - row_count < ${MAX_SUMMED_ROWS} AS is_summed
    FROM ${table} WHERE monitor_id = $1 AND begins_at >= $2 AND begins_at < $3)`;

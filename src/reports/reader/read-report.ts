import type { AggregateReport } from './aggregate-report.js';
import { readAggregate } from './aggregate-reader.js';
import { contentOf } from './report-content.js';
import { reportPartOf } from './report-mail.js';
import { unpack } from './unpack.js';
import { type Refusal, Unreadable } from './unreadable.js';

export type ReportReading = { readonly report: AggregateReport } | { readonly refusal: Refusal };

/** Reads the report out of a whole mail. What a stranger wrote is refused by a value, whatever it is. */
export async function readReport(mail: Uint8Array): Promise<ReportReading> {
  try {
    const unpacked = await unpack(await reportPartOf(mail));
    if (contentOf(unpacked) !== 'xml') throw new Unreadable('no_report');
    return { report: await readAggregate(unpacked) };
  } catch (fault) {
    if (fault instanceof Unreadable) return { refusal: fault.refusal };
    throw fault;
  }
}

import type { AggregateReport } from './aggregate-report.js';
import { readAggregate } from './aggregate-reader.js';
import { contentOf } from './report-content.js';
import { reportPartOf } from './report-mail.js';
import { readTlsReport } from './tls/tls-reader.js';
import type { TlsReport } from './tls/tls-report.js';
import { unpack } from './unpack.js';
import { type Refusal, Unreadable } from './unreadable.js';

export type ReportReading =
  /** DMARC's, which are XML. */
  | { readonly report: AggregateReport }
  /** Those on encryption, which are JSON. */
  | { readonly tlsReport: TlsReport }
  | { readonly refusal: Refusal };

/** Reads the report out of a whole mail. What a stranger wrote is refused by a value, whatever it is. */
export async function readReport(mail: Uint8Array): Promise<ReportReading> {
  try {
    const unpacked = await unpack(await reportPartOf(mail));
    const content = contentOf(unpacked);
    if (content === 'json') return { tlsReport: readTlsReport(unpacked) };
    if (content !== 'xml') throw new Unreadable('no_report');
    return { report: await readAggregate(unpacked) };
  } catch (fault) {
    if (fault instanceof Unreadable) return { refusal: fault.refusal };
    throw fault;
  }
}

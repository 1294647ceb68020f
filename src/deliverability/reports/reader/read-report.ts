import type { AggregateReport } from './aggregate-report.js';
import { readAggregate } from './aggregate-reader.js';
import { type FailureReport, readFailure } from './failure-report.js';
import { orRefusal, READ_LIMITS, type Refusal, Unreadable } from './read-limits.js';
import { contentOf, unpack } from './unpack.js';
import { reportPartsOf } from './report-mail.js';
import { readTlsReport, type TlsReport } from './tls-report.js';
import type { XmlBudget } from './xml-walk.js';

export type ReportReading =
  /** DMARC's, which are XML. */
  | { readonly report: AggregateReport }
  /** Those on encryption, which are JSON. */
  | { readonly tlsReport: TlsReport }
  /** Those of one message that failed. */
  | { readonly failure: FailureReport }
  | { readonly refusal: Refusal };

/**
 * Reads the reports out of a whole mail, one after the other. What a stranger wrote is refused by a value, whatever it is; what stands beside
 * a report and is none is passed over.
 */
export async function* readReports(mail: Uint8Array): AsyncGenerator<ReportReading> {
  let isNone = true;
  for await (const reading of readParts(mail)) {
    if ('refusal' in reading && reading.refusal === 'no_report') continue;
    isNone = false;
    yield reading;
  }
  if (isNone) yield { refusal: 'no_report' };
}

async function* readParts(mail: Uint8Array): AsyncGenerator<ReportReading> {
  const parts = await orRefusal(() => reportPartsOf(mail));
  if ('refusal' in parts) return yield parts;
  for (const refusal of parts.refusals) yield { refusal };
  for (const failure of parts.failures) yield await orRefusal(async () => ({ failure: await readFailure(failure) }));
  let left: number = READ_LIMITS.unpackedBytes;
  let reports = 0;
  const budget = { elements: READ_LIMITS.elementsOfMail };
  for (const packed of parts.packed) {
    const unpacked = unpack(packed, left);
    for (;;) {
      const next = await orRefusal(async () => await unpacked.next());
      if ('refusal' in next) yield next;
      if ('refusal' in next || next.done === true) break;
      if (++reports > READ_LIMITS.reports) return yield { refusal: 'too_many_reports' };
      left = Math.max(1, left - next.value.byteLength);
      yield await orRefusal(() => readOne(next.value, budget));
    }
  }
}

async function readOne(unpacked: Uint8Array, budget: XmlBudget): Promise<ReportReading> {
  const content = contentOf(unpacked);
  if (content === 'json') return { tlsReport: readTlsReport(unpacked) };
  if (content !== 'xml') throw new Unreadable('no_report');
  return { report: await readAggregate(unpacked, budget) };
}

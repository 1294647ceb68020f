import { ok } from 'node:assert';
import { gzipSync } from 'node:zlib';
import { READ_LIMITS, READING_REFUSALS } from '../../src/deliverability/reports/reader/read-limits.js';
import { type ReportReading, readReports } from '../../src/deliverability/reports/reader/read-report.js';
import type { TlsReport } from '../../src/deliverability/reports/reader/tls-report.js';
import { mailOf, mailWith, writtenReport } from '../../test/support/dmarc-reports.js';
import { zipOf } from '../../test/support/zip.js';
import { writtenTlsReport } from '../../test/support/tls-reports.js';
import { fuzz, fuzzArguments } from './driver.js';
import { anyReportMail } from './report-mails.js';

const NEW_FORM = writtenReport({
  namespace: 'urn:ietf:params:xml:ns:dmarc-2.0',
  metadata: '<generator>r</generator>',
  policy: '<p>none</p><np>reject</np><testing>y</testing><discovery_method>psl</discovery_method>',
  records: [{ source: '2001:db8::1', reason: '<reason><type>mailing_list</type></reason>' }],
});
const text = (bytes: Buffer): string => bytes.toString('latin1');

const TLS = JSON.stringify(writtenTlsReport());

/** XML, JSON, and mails whole: bytes as latin1. */
const SEEDS = [
  writtenReport(),
  NEW_FORM,
  text(mailWith(gzipSync(NEW_FORM))),
  text(mailWith(zipOf([['r.xml', Buffer.from(writtenReport())]]))),
  text(mailOf(writtenReport(), 'text/xml')),
  text(gzipSync(writtenReport())),
  text(zipOf([['r.xml', Buffer.from(NEW_FORM)]])),
  TLS,
  text(gzipSync(TLS)),
];

function checkTls({ organization, reportId, policies }: TlsReport): void {
  for (const kept of [
    organization,
    reportId,
    ...policies.flatMap(({ failures }) => failures.map(({ reason }) => reason)),
  ])
    ok(kept === null || (kept !== '' && kept.length <= READ_LIMITS.textLength && !/\p{Cc}/u.test(kept)), 'a text');
  for (const { successful, failed, failures, leftOut } of policies)
    for (const count of [successful, failed, leftOut, ...failures.map(({ sessions }) => sessions)])
      ok(Number.isSafeInteger(count) && count >= 0, 'a count that is none');
}

async function check(input: string): Promise<void> {
  const bytes = Buffer.from(input, 'latin1');
  // What is a mail already is not sent within another one.
  const mails = input.startsWith('From: ') ? [bytes] : [bytes, mailWith(bytes), mailWith(gzipSync(bytes))];
  for (const mail of mails) for await (const reading of readReports(mail)) checkReading(reading);
}

function checkReading(reading: ReportReading): void {
  if ('refusal' in reading) ok(reading.refusal in READING_REFUSALS, 'a refusal without a name');
  else if ('tlsReport' in reading) checkTls(reading.tlsReport);
  else if ('failure' in reading) ok(!JSON.stringify(reading.failure).includes('@'), 'an address that may not be kept');
  else {
    const { rows, organization, reportId, domain } = reading.report;
    for (const kept of [organization, reportId, domain, ...rows.map(({ headerFrom }) => headerFrom)])
      ok(kept !== '' && kept.length <= READ_LIMITS.textLength && !/\p{Cc}/u.test(kept), 'a text that may not be kept');
    for (const { messages, headerFrom } of rows) {
      ok(Number.isSafeInteger(messages) && messages > 0, 'a count that is none');
      ok(headerFrom === domain || headerFrom.endsWith(`.${domain}`), 'a row of another domain');
    }
  }
}

for (const seed of SEEDS) await check(seed);

await fuzz({
  name: 'report',
  seedInputs: SEEDS,
  property: check,
  generate: (random) => text(anyReportMail(random)),
  ...fuzzArguments(),
});

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailOf, mailWith, readings, readReport } from '../../../../test/support/dmarc-reports.js';
import { zipOf } from '../../../../test/support/zip.js';
import { writtenTlsFailure, writtenTlsReport, type WrittenTlsReport } from '../../../../test/support/tls-reports.js';
import { READ_LIMITS, READING_REFUSALS } from './read-limits.js';
import type { ReportReading } from './read-report.js';
import type { TlsReport } from './tls-report.js';

const TYPE = { type: 'application/tlsrpt+gzip', name: 'sender.example!example.com!1!2!001.json.gz' };
const readJson = (json: string | Uint8Array): Promise<ReportReading> => readReport(mailWith(gzipSync(json), TYPE));
const readWritten = (report: WrittenTlsReport): Promise<ReportReading> =>
  readJson(JSON.stringify(writtenTlsReport(report)));

async function tlsOf(reading: Promise<ReportReading>): Promise<TlsReport> {
  const read = await reading;
  if (!('tlsReport' in read)) throw new Error(`no report on encryption: ${JSON.stringify(read)}`);
  return read.tlsReport;
}

const JSON_TEXT = JSON.stringify(writtenTlsReport(), null, 2);

describe('a report on encryption', () => {
  it('a report on encryption is read as RFC 8460 writes it', async () => {
    expect(await tlsOf(readJson(JSON_TEXT))).toEqual({
      organization: 'sender.example',
      reportId: '5065427c-23d3@sender.example',
      begin: new Date('2026-11-19T00:00:00Z'),
      end: new Date('2026-11-19T23:59:59Z'),
      policies: [
        {
          type: 'sts',
          domain: 'example.com',
          successful: 5_326,
          failed: 303,
          failures: [
            {
              result: 'certificate-expired',
              mailHost: 'mx1.mail.example.com',
              mailHostAddress: '192.0.2.26',
              senderAddress: '2001:db8:abcd:12::1',
              reason: null,
              sessions: 100,
            },
          ],
          leftOut: 0,
        },
      ],
    });
  });

  it.each([
    ['gzip that is called something else', mailWith(gzipSync(JSON_TEXT))],
    ['bare JSON', mailWith(JSON_TEXT, { type: 'application/tlsrpt+json', name: 'report.json' })],
    ['zip', mailWith(zipOf([['r.json', Buffer.from(JSON_TEXT)]]), { type: 'application/zip' })],
    ['the whole body', mailOf(gzipSync(JSON_TEXT), 'application/tlsrpt+gzip')],
    ['JSON after a mark of its order of bytes', mailWith(gzipSync(`\ufeff${JSON_TEXT}`))],
  ])('a report on encryption is found as %s', async (_, mail) => {
    expect(await tlsOf(readReport(mail))).toMatchObject({ policies: [{ domain: 'example.com' }] });
  });

  it('a report on encryption is read where it leaves out what is zero', async () => {
    const { policies } = writtenTlsReport({ failures: [] }) as { policies: object[] };
    const summary = { 'total-successful-session-count': 7 };
    expect(await tlsOf(readWritten({ policies: [{ ...policies[0], summary }] }))).toMatchObject({
      policies: [{ successful: 7, failed: 0 }],
    });
  });

  it('a report on encryption counts what is alike together, and leaves out what cannot be read', async () => {
    const failures = [
      writtenTlsFailure({ 'failed-session-count': 1 }),
      writtenTlsFailure({ 'failed-session-count': '40', 'sending-mta-ip': '::ffff:192.0.2.1' }),
      writtenTlsFailure({ 'failed-session-count': 2 }),
      writtenTlsFailure({ 'result-type': 'STARTTLS-Not-Supported', 'receiving-mx-hostname': 'no host' }),
      writtenTlsFailure({ 'result-type': 'something newer' }),
      ...[-1, 0, 1.5, 1e300, '1e3', null, true, [3], { n: 3 }, READ_LIMITS.recordMessages + 1].map((sessions) =>
        writtenTlsFailure({ 'failed-session-count': sessions }),
      ),
      null,
      'text',
      [],
    ];
    const [policy] = (await tlsOf(readWritten({ failures }))).policies;
    expect(policy!.leftOut).toBe(14);
    expect(policy!.failures.map(({ result, mailHost, sessions }) => [result, mailHost, sessions])).toEqual([
      ['starttls-not-supported', null, 100],
      ['certificate-expired', 'mx1.mail.example.com', 40],
      ['certificate-expired', 'mx1.mail.example.com', 3],
    ]);
  });

  it('a report on encryption has the policies that can be read', async () => {
    const policyOf = (report: WrittenTlsReport): unknown =>
      (writtenTlsReport(report) as { policies: unknown[] }).policies[0];
    const policies = [
      policyOf({ type: 'TLSA', domain: 'BÜCHER.example', failures: undefined }),
      policyOf({ type: 'another' }),
      policyOf({ domain: '192.0.2.1' }),
      policyOf({ successful: -1 }),
      policyOf({ failed: 'many' }),
      { policy: [], summary: null },
      7,
    ];
    expect((await tlsOf(readWritten({ policies }))).policies).toMatchObject([
      { type: 'tlsa', domain: 'xn--bcher-kva.example' },
    ]);
  });

  it.each<[string, WrittenTlsReport]>([
    ['report_incomplete', { organization: '' }],
    ['report_incomplete', { organization: 7 }],
    ['report_incomplete', { organization: '\0\u0001' }],
    ['report_incomplete', { reportId: null }],
    ['report_incomplete', { begin: 'yesterday' }],
    ['report_incomplete', { begin: 1_770_000_000 }],
    ['report_incomplete', { begin: '2026-13-45T00:00:00Z' }],
    ['report_incomplete', { begin: '2026-11-20T00:00:00Z', end: '2026-11-19T00:00:00Z' }],
    ['report_incomplete', { policies: [] }],
    ['report_incomplete', { domain: 'no domain' }],
    ['no_report', { policies: 'none' }],
    ['too_many_records', { policies: Array.from({ length: READ_LIMITS.policies + 1 }, () => ({})) }],
    ['too_many_records', { failures: Array.from({ length: READ_LIMITS.records + 1 }, () => 0) }],
  ])('a report on encryption is refused as %s: %o', async (refusal, report) => {
    expect(await readWritten(report)).toEqual({ refusal });
  });

  it.each([
    ['json_malformed', JSON_TEXT.slice(0, -3)],
    ['json_malformed', `${JSON_TEXT}${JSON_TEXT}`],
    ['json_malformed', JSON_TEXT.replace('5326', 'NaN')],
    ['json_malformed', JSON_TEXT.replace('5326', '05326')],
    ['json_malformed', JSON_TEXT.replace('sender.example', 'sender\0example')],
    ['no_report', '{"policies":{}}'],
    ['no_report', '{"a":1}'],
    ['no_report', '[1]'],
  ])('a report on encryption that is none is refused as %s', async (refusal, json) => {
    expect(await readJson(json)).toEqual({ refusal });
  });

  it('a report on encryption is refused for its depth, its values or its size before anything is built of it', async () => {
    const deep = `{"policies":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`;
    expect(await readJson(deep)).toEqual({ refusal: 'json_too_deep' });
    expect(await readJson(`{"a":${'{"a":'.repeat(READ_LIMITS.jsonDepth)}`)).toEqual({ refusal: 'json_too_deep' });
    const wide = `{"policies":[${'0,'.repeat(READ_LIMITS.jsonValues + 1)}0]}`;
    expect(await readJson(wide)).toEqual({ refusal: 'too_many_records' });
    const before = process.memoryUsage.rss();
    expect(await readJson(`{"policies":["${' '.repeat(READ_LIMITS.jsonBytes)}"]}`)).toEqual({
      refusal: 'unpacked_too_large',
    });
    expect(await readJson(Buffer.concat([Buffer.from('{"'), Buffer.alloc(READ_LIMITS.unpackedBytes)]))).toEqual({
      refusal: 'unpacked_too_large',
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
  });

  it('a report on encryption keeps brackets and commas within texts for what they are, and the last of two members of one name', async () => {
    const organization = `${'[{'.repeat(20)}\\",\\\\"`;
    expect((await tlsOf(readWritten({ organization }))).organization).toBe(organization);
    const twice = JSON_TEXT.replace('{', '{"organization-name":"first","__proto__":{"report-id":7},"constructor":1,');
    expect((await tlsOf(readJson(twice))).organization).toBe('sender.example');
  });

  it('a report on encryption keeps no text that is longer than the limit or cannot be shown', async () => {
    const long = `Mail\u202e\0\u2028${'x'.repeat(10_000)}`;
    const failures = [writtenTlsFailure({ 'failure-reason-code': long, 'receiving-mx-hostname': `${long}.example` })];
    const report = await tlsOf(readWritten({ organization: long, reportId: long, failures }));
    const [failure] = report.policies[0]!.failures;
    for (const text of [report.organization, report.reportId, failure!.reason!]) {
      expect(text).toMatch(/^Mail x{245,}$/);
      expect(text.length).toBeLessThanOrEqual(READ_LIMITS.textLength);
    }
    expect(failure!.mailHost).toBeNull();
  });

  it('a report on encryption is read beside another report in one mail', async () => {
    const others = [`Content-Type: application/json\r\n\r\n${JSON_TEXT}\r\n`];
    const all = await readings(mailWith(gzipSync(JSON_TEXT), { others }));
    expect(all.map((one) => 'tlsReport' in one)).toEqual([true, true]);
  });

  it('a report on encryption whose policy names no domain is about the domain that it was sent to', async () => {
    const report = writtenTlsReport() as { policies: { policy: Record<string, unknown> }[] };
    for (const { policy } of report.policies) delete policy['policy-domain'];
    const { policies } = await tlsOf(readJson(JSON.stringify(report)));
    expect(policies.map(({ domain }) => domain)).toEqual(report.policies.map(() => null));
  });

  it('a report on encryption never throws, whatever stands where something is expected', async () => {
    const any = fc.jsonValue({ maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(any, any, any, any, async (organization, domain, sessions, result) => {
        const failures = [writtenTlsFailure({ 'failed-session-count': sessions, 'result-type': result })];
        const reading = await readWritten({ organization, domain, successful: sessions, failures });
        if ('refusal' in reading) return reading.refusal in READING_REFUSALS;
        return 'tlsReport' in reading && reading.tlsReport.policies.every(({ successful }) => successful >= 0);
      }),
    );
  });
});

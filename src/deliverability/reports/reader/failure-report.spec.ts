import { describe, expect, it } from 'vitest';
import {
  failureMail,
  failureParts,
  readings,
  readReport,
  writtenReport,
} from '../../../../test/support/dmarc-reports.js';

const READ = {
  source: '192.0.2.77',
  domain: 'example.com',
  failure: 'dkim',
  delivery: 'reject',
  dkimDomain: 'mail.example.com',
  dkimSelector: 's1',
  reporter: 'Receiver/1.0',
  messages: 3,
};

describe('a report of one message that failed', () => {
  it.each(['message/rfc822', 'text/rfc822-headers'])(
    'a report of one message that failed is read with its message as %s, without any address',
    async (type) => {
      const reading = await readReport(failureMail({}, { type }));
      expect(reading).toEqual({ failure: READ });
      expect(JSON.stringify(reading)).not.toMatch(/jane|@/);
    },
  );

  it.each([
    ['names the host behind the address, as OpenDMARC does', { 'Source-IP': '192.0.2.77 (host.example.net)' }, 'dkim'],
    ['has comments', { 'Feedback-Type': 'auth-failure (RFC 6591)', 'Auth-Failure': 'spf (softfail)' }, 'spf'],
    ['does not say what failed, as Netease does', { 'Auth-Failure': null }, 'dmarc'],
  ])('a report of one message that failed is read where it %s', async (_, fields, failure) => {
    expect(await readReport(failureMail(fields))).toEqual({ failure: { ...READ, failure } });
  });

  it('a report of one message that failed is of the domain that it names where it has no message', async () => {
    expect(await readReport(failureMail({}, { type: null }))).toEqual({
      failure: { ...READ, domain: 'news.example.com' },
    });
  });

  it('a report of one message that failed is read beside others of its kind, and beside an aggregate report', async () => {
    const aggregate = `Content-Type: text/xml\r\nContent-Disposition: attachment\r\n\r\n${writtenReport()}\r\n`;
    const second = failureParts({ 'Source-IP': '192.0.2.78', 'Auth-Failure': 'spf' }, null);
    for (const others of [
      [...second, aggregate],
      [aggregate, ...second],
    ])
      expect(await readings(failureMail({}, { others }))).toEqual([
        { failure: READ },
        { failure: { ...READ, source: '192.0.2.78', failure: 'spf', domain: 'news.example.com' } },
        { report: expect.objectContaining({ reportId: 'r-1' }) as unknown },
      ]);
  });

  it.each([
    ['no_report', { 'Feedback-Type': 'abuse' }],
    ['report_incomplete', { 'Source-IP': 'somewhere' }],
    ['report_incomplete', { 'Auth-Failure': 'because I say so' }],
  ] as const)('a report of one message that failed is refused as %s for %j', async (refusal, fields) => {
    expect(await readReport(failureMail(fields))).toEqual({ refusal });
  });

  it('a report of one message that failed counts no more messages than can be, and nothing that is no word', async () => {
    const fields = {
      Incidents: '999999999',
      'Delivery-Result': 'eaten by jane@example.com',
      'DKIM-Selector': '../etc',
    };
    expect(await readReport(failureMail(fields))).toMatchObject({
      failure: { messages: 999_999_999, delivery: null, dkimSelector: null },
    });
  });
});

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mailOf,
  mailWith,
  readings,
  readReport,
  writtenReport,
  type WrittenReport,
} from '../../../../test/support/dmarc-reports.js';
import { zipOf } from '../../../../test/support/zip.js';
import { readAggregate } from './aggregate-reader.js';
import type { AggregateReport } from './aggregate-report.js';
import { MAIL_LINES } from '../../inbound/read-mail.js';
import { READ_LIMITS, READING_REFUSALS } from './read-limits.js';

async function read(mail: Uint8Array): Promise<AggregateReport> {
  const reading = await readReport(mail);
  if (!('report' in reading)) throw new Error(`no aggregate report: ${JSON.stringify(reading)}`);
  return reading.report;
}

const readWritten = (report: WrittenReport): Promise<AggregateReport> =>
  read(mailWith(gzipSync(writtenReport(report))));
const readXml = (xml: string | Uint8Array): ReturnType<typeof readReport> => readReport(mailWith(gzipSync(xml)));
const refusalOf = async (mail: Uint8Array): Promise<string> => {
  const reading = await readReport(mail);
  return 'refusal' in reading ? reading.refusal : 'taken';
};

/** RFC 1952 section 2.3: as Mimecast writes it, with the name of the file. */
function named(gzip: Buffer): Buffer {
  const head = Buffer.from(gzip.subarray(0, 10));
  head[3] = 8;
  return Buffer.concat([head, Buffer.from('receiver.example!example.com!1!2.xml\0'), gzip.subarray(10)]);
}

const XML = writtenReport();
const EXPECTED = expect.objectContaining({ reportId: 'r-1', domain: 'example.com' }) as unknown;

describe('a report in its mail', () => {
  it.each([
    ['gzip as an attachment', mailWith(gzipSync(XML))],
    ['gzip that is called zip', mailWith(gzipSync(XML), { type: 'application/zip', name: 'report.zip' })],
    ['gzip that was packed once more', mailWith(gzipSync(gzipSync(XML)), { name: 'report.xml.gz.gz' })],
    ['zip', mailWith(zipOf([['r.xml', Buffer.from(XML)]]), { type: 'application/zip' })],
    ['zip that is called gzip', mailWith(zipOf([['r.xml', Buffer.from(XML)]]))],
    ['bare XML as an attachment', mailWith(XML, { type: 'text/xml', name: 'report.xml' })],
    ['bare XML that is called gzip', mailWith(XML)],
    ['gzip as the whole body', mailOf(gzipSync(XML), 'application/gzip')],
    ['XML as the whole body', mailOf(XML, 'text/xml; charset=utf-8')],
    ['XML as plain text', mailOf(XML, 'text/plain; charset=utf-8')],
    ['a type that says nothing', mailOf(gzipSync(XML), 'application/octet-stream')],
    [
      'a text that a gateway put beside it',
      mailWith(gzipSync(XML), { others: ['Content-Type: text/html\r\n\r\n<p>This mail was checked.</p>\r\n'] }),
    ],
    ['gzip with a line end after its end', mailWith(Buffer.concat([gzipSync(XML), Buffer.from('\r\n')]))],
    [
      'gzip with a name and a line end after its end',
      mailWith(Buffer.concat([named(gzipSync(XML)), Buffer.from('\r\n')])),
    ],
    ['gzip with zeros after its end', mailWith(Buffer.concat([gzipSync(XML), Buffer.alloc(512)]))],
    ['gzip of two members', mailWith(Buffer.concat([gzipSync(XML.slice(0, 300)), gzipSync(XML.slice(300))]))],
  ])('a report in its mail is found as %s', async (_, mail) => {
    expect(await read(mail)).toEqual(EXPECTED);
  });

  it.each([
    ['no_report', mailWith('nothing of interest')],
    ['no_report', Buffer.from('')],
    ['no_report', mailWith(gzipSync('unused'))],
    ['no_report', mailWith('<html><body>Hello</body></html>', { type: 'text/html' })],
    ['no_report', mailWith(gzipSync('<?xml version="1.0"?><rss/>'))],
    ['no_report', mailWith(gzipSync(gzipSync(gzipSync(XML))))],
    ['xml_malformed', mailWith(XML + XML.slice(XML.indexOf('<feedback')))],
    ['xml_malformed', mailWith(XML.slice(0, -20))],
    ['no_report', mailWith(zipOf([['readme.txt', Buffer.from('Read me.')]]))],
    [
      'too_many_reports',
      mailWith(
        zipOf(Array.from({ length: READ_LIMITS.reports + 1 }, (_, n) => [`${n}.xml`, Buffer.from(XML)] as const)),
      ),
    ],
    ['archive_malformed', mailWith(gzipSync(XML).subarray(0, 200))],
    ['archive_malformed', mailWith(zipOf([['a.xml', Buffer.from(XML)]]).subarray(0, 200))],
    ['archive_malformed', mailWith(zipOf([['a.xml', Buffer.from(XML)]], 10))],
    ['mail_too_large', Buffer.alloc(READ_LIMITS.mailBytes + 1)],
    ['mail_malformed', Buffer.from(`Subject: ${'x'.repeat(READ_LIMITS.headerBytes)}\r\n\r\nbody`)],
    ['mail_malformed', Buffer.from(`Subject: x\r\n\r\n${'\n'.repeat(MAIL_LINES.textLines + 1)}`)],
    ['mail_malformed', Buffer.from(`${'a'.repeat(62)}\n`.repeat(MAIL_LINES.lines + 2))],
    [
      'mail_malformed',
      Buffer.from(`Content-Type: multipart/mixed; boundary=a\n\n${'--a\n\n'.repeat(MAIL_LINES.boundaries + 1)}`),
    ],
  ] as const)('a report in its mail is refused as %s', async (refusal, mail) => {
    expect(await refusalOf(mail)).toBe(refusal);
  });

  it('a report in its mail is read beside another one, whether in a mail or in a zip', async () => {
    const other = writtenReport({ reportId: 'r-2' });
    const ids = async (mail: Uint8Array) =>
      (await readings(mail)).map((one) => ('report' in one ? one.report.reportId : one));
    const others = [`Content-Type: text/xml\r\nContent-Disposition: attachment\r\n\r\n${other}\r\n`];
    expect(await ids(mailWith(gzipSync(XML), { others }))).toEqual(['r-2', 'r-1']);
    const entries = [
      ['reports/', Buffer.alloc(0)],
      ['reports/readme.txt', Buffer.from('Read me.')],
      ['reports/a.xml', Buffer.from(XML)],
      ['b.xml', Buffer.from(other)],
    ] as const;
    expect(await ids(mailWith(zipOf(entries)))).toEqual(['r-1', 'r-2']);
  });

  it.each([
    ['a page', 'text/html', '<!DOCTYPE html>\n<html><body>Your report<br></body></html>'],
    [
      'a page that says it is XML',
      'text/html',
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">\n<html></html>',
    ],
    [
      'a page without its type',
      'text/html',
      '<?xml version="1.0" encoding="utf-8"?>\n<!-- made by a machine -->\n<html><br></html>',
    ],
    ['a page that begins with a comment', 'text/html', '<!-- header --><table><td nowrap></table>'],
    ['a drawing', 'image/svg+xml', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><path/></svg>'],
    [
      'a drawing with its type',
      'image/svg+xml',
      '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg/>',
    ],
    ['another document', 'application/xml', '<?xml version="1.0"?><rss/>'],
    ['other data', 'application/json', '{"@context":"https://schema.org"}'],
  ])('a report in its mail is read beside %s, which is none and is not refused as one', async (_, type, text) => {
    const others = [`Content-Type: ${type}\r\n\r\n${text}\r\n`];
    expect(await readings(mailWith(gzipSync(XML), { others }))).toEqual([{ report: EXPECTED }]);
    expect(await refusalOf(mailOf(text, type))).toBe('no_report');
  });

  it('a report in its mail is read within an element that never ends, and takes no record of another report in it', async () => {
    const inner = XML.slice(XML.indexOf('<feedback'));
    const other = writtenReport({ reportId: 'r-2', records: [{ count: 50 }, { count: 60 }] });
    for (const end of ['', '</schema>']) {
      const report = await readXml(
        `<?xml version="1.0"?><schema>${inner}${other.slice(other.indexOf('<feedback'))}${end}`,
      );
      expect(report).toMatchObject({ report: { reportId: 'r-1', rows: [{ messages: 3 }], recordsLeftOut: 2 } });
    }
  });

  it('a report in its mail is read beside a mail that was forwarded whole and cannot be looked into', async () => {
    const broken = `Content-Type: message/rfc822\r\n\r\nSubject: ${'x'.repeat(READ_LIMITS.headerBytes)}\r\n\r\n`;
    expect(await readings(mailWith(gzipSync(XML), { others: [broken] }))).toEqual([
      { refusal: 'mail_malformed' },
      { report: EXPECTED },
    ]);
  });

  it('a report in its mail that is broken is refused by itself, and the others are read', async () => {
    const others = ['Content-Type: text/xml\r\nContent-Disposition: attachment\r\n\r\n<feedback>\r\n'];
    expect(await readings(mailWith(gzipSync(XML), { others }))).toEqual([
      { refusal: 'xml_malformed' },
      { report: EXPECTED },
    ]);
  });

  it('a report in its mail is read in a mail that was forwarded whole, three times and no more', async () => {
    const forwarded = (mail: Buffer): Buffer =>
      Buffer.concat([
        Buffer.from(
          'From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="f"\r\n\r\n--f\r\n',
        ),
        Buffer.from('Content-Type: text/plain\r\n\r\nSee below.\r\n--f\r\nContent-Type: message/rfc822\r\n\r\n'),
        Buffer.from(mail.toString('latin1').replaceAll('--part', '--inner').replaceAll('"part"', '"inner"'), 'latin1'),
        Buffer.from('\r\n--f--\r\n'),
      ]);
    const nested = (mail: Buffer): Buffer =>
      Buffer.from(
        `From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n${mail.toString('latin1')}`,
        'latin1',
      );
    const mail = forwarded(mailWith(gzipSync(XML)));
    expect(await read(mail)).toEqual(EXPECTED);
    expect(await read(nested(nested(mail)))).toEqual(EXPECTED);
    expect(await refusalOf(nested(nested(nested(mail))))).toBe('no_report');
  });

  it('a report in its mail that unpacks to more than the limit is refused before it is held in memory, whatever a zip says of itself', async () => {
    const bomb = Buffer.alloc(READ_LIMITS.unpackedBytes + 1, ' ');
    expect(await refusalOf(mailWith(gzipSync(bomb)))).toBe('unpacked_too_large');
    expect(await refusalOf(mailWith(zipOf([['a.xml', bomb]])))).toBe('unpacked_too_large');
    expect(await refusalOf(mailWith(zipOf([['a.xml', bomb]], 1_000)))).toBe('archive_malformed');
  });

  it('a report in its mail is not unpacked out of a hundred thousand members, each of which takes memory of its own', async () => {
    const member = gzipSync('<');
    const before = process.memoryUsage.rss();
    expect(await refusalOf(mailWith(Buffer.concat(Array.from({ length: 20_000 }, () => member))))).toBe(
      'archive_malformed',
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
  });
});

describe('the XML of a report', () => {
  it('the XML of a report is read in the form of RFC 7489', async () => {
    const { rows, ...report } = await readWritten({
      policy: '<adkim>r</adkim><aspf>s</aspf><p>Reject</p><sp>none</sp><pct>100</pct>',
      records: [
        {
          source: '198.51.100.7',
          count: 12,
          disposition: 'Quarantine',
          dkim: 'fail',
          spf: 'Pass',
          reason: '<reason><type>forwarded</type><comment>a list</comment></reason>',
          authResults:
            '<dkim><domain>Other.Example</domain><result>fail</result></dkim><dkim><domain>example.com</domain><selector>s</selector><result>pass</result></dkim>' +
            '<spf><domain>helo.example.com</domain><scope>helo</scope><result>none</result></spf><spf><domain>bounce.example.com</domain><scope>mfrom</scope><result>unknown</result></spf>',
        },
      ],
    });
    expect(report).toEqual({
      form: 'rfc7489',
      organization: 'receiver.example',
      reportId: 'r-1',
      begin: new Date(1_770_000_000_000),
      end: new Date(1_770_086_399_000),
      domain: 'example.com',
      policy: {
        p: 'reject',
        sp: 'none',
        np: null,
        adkim: 'r',
        aspf: 's',
        pct: '100',
        testing: null,
        discoveryMethod: null,
      },
      generator: null,
      recordsLeftOut: 0,
    });
    expect(rows).toEqual([
      {
        source: '198.51.100.7',
        messages: 12,
        disposition: 'quarantine',
        dkimAligned: false,
        spfAligned: true,
        headerFrom: 'example.com',
        dkimResult: 'pass',
        dkimDomain: 'example.com',
        spfResult: 'temperror',
        spfDomain: 'bounce.example.com',
        override: 'forwarded',
      },
    ]);
  });

  it('the XML of a report is read in the form of RFC 9990, with its namespace or without', async () => {
    const written = {
      reportId: '&lt;2026-02-03_example.com@receiver.example&gt;',
      metadata: '<generator>Reporter 1.2</generator>',
      policy:
        '<p>quarantine</p><sp>none</sp><np>reject</np><testing>y</testing><discovery_method>treewalk</discovery_method>',
      records: [{ disposition: 'pass', reason: '<reason><type>policy_test_mode</type></reason>' }],
    };
    const bare = await readWritten(written);
    expect(bare).toMatchObject({
      form: 'rfc9990',
      reportId: '2026-02-03_example.com@receiver.example',
      generator: 'Reporter 1.2',
      policy: { p: 'quarantine', np: 'reject', testing: 'y', discoveryMethod: 'treewalk', pct: null },
    });
    expect(bare.rows[0]).toMatchObject({ disposition: 'pass', override: 'policy_test_mode' });
    expect(await readWritten({ ...written, namespace: 'urn:ietf:params:xml:ns:dmarc-2.0' })).toEqual(bare);
    const prefixed = writtenReport(written).replaceAll(/<(\/?)(\w+)/g, '<$1d:$2');
    const declared = prefixed.replace('<d:feedback>', '<d:feedback xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0">');
    expect(await readXml(declared)).toEqual({ report: bare });
  });

  it.each<[string, string, object]>([
    [
      'an empty name of the reporter: it is the domain of its address',
      writtenReport({ organization: '' }),
      { organization: 'receiver.example' },
    ],
    ['a root of another name', writtenReport().replaceAll('feedback>', 'dmarc_report>'), {}],
    ['a root around it', `<reports>${writtenReport().replace(/^<\?xml.*\n/, '')}</reports>`, {}],
    ['another namespace', writtenReport({ namespace: 'http://dmarc.org/dmarc-xml/0.1' }), {}],
    ['a prefix that is declared nowhere', writtenReport().replaceAll(/<(\/?)feedback>/g, '<$1ns2:feedback>'), {}],
    [
      'an ampersand that is not escaped',
      writtenReport({ organization: 'Smith & Sons' }),
      { organization: 'Smith & Sons' },
    ],
    ['an ampersand before a word', writtenReport({ organization: 'R&D &amp; mail' }), { organization: 'R&D & mail' }],
    [
      'a bracket that is not escaped',
      writtenReport({ reportId: '<2026.1@receiver.example>' }),
      { reportId: '2026.1@receiver.example' },
    ],
    ['an entity that XML does not know', writtenReport({ organization: '&nbsp;Mail' }), { organization: '&nbsp;Mail' }],
    ['an address in brackets', XML.replace('reports@receiver.example', '<reports@receiver.example>'), {}],
    ['a bracket within a text', writtenReport({ organization: 'a < b' }), { organization: 'a < b' }],
  ])('the XML of a report is read with %s', async (_, xml, expected) => {
    expect(await read(mailWith(gzipSync(xml)))).toMatchObject({ domain: 'example.com', ...expected });
  });

  it('the XML of a report with brackets that are not escaped is read in whatever pieces it comes', async () => {
    const records = Array.from({ length: 1_500 }, (_, n) => ({
      source: `192.0.2.${n % 250}`,
      reason: `<comment>a < b & c<d@e> ${'x'.repeat(n % 90)}</comment>`,
    }));
    const { rows, recordsLeftOut } = await read(mailWith(gzipSync(writtenReport({ records }))));
    expect([rows.length, recordsLeftOut]).toEqual([250, 0]);
  });

  it('the XML of a report of a From with two names counts for the domain that it is about', async () => {
    const records = [{ headerFrom: 'other.example, news.example.com' }, { headerFrom: 'example.com example.net' }];
    const { rows, recordsLeftOut } = await read(mailWith(gzipSync(writtenReport({ records }))));
    expect(rows.map(({ headerFrom }) => headerFrom).toSorted()).toEqual(['example.com', 'news.example.com']);
    expect(recordsLeftOut).toBe(0);
  });

  it('the XML of a report of the new namespace alone is of the new form', async () => {
    expect(await readWritten({ namespace: 'urn:ietf:params:xml:ns:dmarc-2.0' })).toMatchObject({ form: 'rfc9990' });
    expect(await readWritten({ namespace: 'http://dmarc.org/dmarc-xml/0.1' })).toMatchObject({ form: 'rfc7489' });
  });

  it('the XML of a report is read where its bytes are no UTF-8, or another encoding', async () => {
    const broken = Buffer.from(writtenReport({ organization: 'M\xfcller' }), 'latin1');
    expect(await readXml(broken)).toMatchObject({ report: { organization: 'M\ufffdller' } });
    const latin1 = Buffer.from(writtenReport({ organization: 'M\xfcller' }).replace('UTF-8', 'ISO-8859-1'), 'latin1');
    expect(await readXml(latin1)).toMatchObject({ report: { organization: 'Müller' } });
    const utf16 = Buffer.from(`\ufeff${writtenReport({ organization: 'Müller' })}`, 'utf16le');
    expect(await readXml(utf16)).toMatchObject({ report: { organization: 'Müller' } });
    expect(await readXml(`\ufeff\r\n\r\n${XML}`)).toMatchObject({ report: { domain: 'example.com' } });
    expect(await readXml(XML.replace('UTF-8', 'no-such-thing'))).toMatchObject({ report: { domain: 'example.com' } });
  });

  it('the XML of a report is read when it came before RFC 7489, with elements that nobody knows, and in another order', async () => {
    const old = XML.replaceAll('identifiers>', 'identities>');
    expect(await readXml(old)).toMatchObject({ report: { rows: [{ headerFrom: 'example.com' }] } });
    const extended = XML.replace(
      '<record>',
      '<extension><more><domain>evil.example</domain></more></extension><record>',
    );
    expect(await readXml(extended)).toMatchObject({ report: { domain: 'example.com', rows: [{ messages: 3 }] } });
    const policy = /<policy_published>.*<\/policy_published>/.exec(XML)?.[0] ?? '';
    const last = XML.replace(policy, '').replace('</feedback>', `${policy}</feedback>`);
    expect(await readXml(last)).toEqual({ report: await read(mailWith(XML)) });
  });

  it('the XML of a report counts what is alike together, the most messages first', async () => {
    const { rows } = await readWritten({
      records: [
        { source: '192.0.2.1', count: 2 },
        { source: '2001:DB8:0::1', count: 5 },
        { source: '192.0.2.1', count: 40, dkim: 'fail' },
        { source: '::ffff:192.0.2.1', count: 9 },
        { source: '192.0.2.1', count: 1, headerFrom: '' },
      ],
    });
    expect(rows.map(({ source, messages, dkimAligned }) => [source, messages, dkimAligned])).toEqual([
      ['192.0.2.1', 40, false],
      ['192.0.2.1', 12, true],
      ['2001:db8::1', 5, true],
    ]);
  });

  it('the XML of a report leaves out records of other domains and those that cannot be read, and says how many', async () => {
    const report = await readWritten({
      records: [
        { headerFrom: 'mail_1.sub.EXAMPLE.com.' },
        { headerFrom: 'bücher.example.com' },
        { headerFrom: 'example.org' },
        { headerFrom: 'notexample.com' },
        { headerFrom: 'com' },
        { source: 'unknown' },
        { source: 'fe80::1%eth0' },
        { source: '1.2' },
        { count: -1 },
        { count: '0' },
        { count: '1e3' },
        { count: '99999999999' },
        { count: READ_LIMITS.recordMessages + 1 },
      ],
    });
    expect(report.rows.map(({ headerFrom }) => headerFrom)).toEqual([
      'mail_1.sub.example.com',
      'xn--bcher-kva.example.com',
    ]);
    expect(report.recordsLeftOut).toBe(11);
  });

  it.each([
    ['xml_malformed', XML.replace('</feedback>', '')],
    ['xml_malformed', `${XML}<feedback/>`],
    ['xml_malformed', XML.replace('receiver.example', '\0')],
    ['xml_malformed', XML.replace('receiver.example', '&#0;')],
    ['xml_with_doctype', XML.replace('<feedback>', '<!DOCTYPE feedback SYSTEM "file:///etc/passwd"><feedback>')],
    [
      'xml_with_doctype',
      `<!DOCTYPE f [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${XML.replace(/^.*\n/, '').replace('receiver.example', '&b;')}`,
    ],
    [
      'xml_too_deep',
      XML.replace('<record>', `${'<a>'.repeat(READ_LIMITS.xmlDepth)}${'</a>'.repeat(READ_LIMITS.xmlDepth)}<record>`),
    ],
    ['report_incomplete', XML.replaceAll(/org_name|email/g, 'name')],
    ['report_incomplete', writtenReport({ reportId: '' })],
    ['report_incomplete', writtenReport({ domain: 'no domain' })],
    ['report_incomplete', writtenReport({ domain: '192.0.2.1' })],
    ['report_incomplete', writtenReport({ begin: 'yesterday' })],
    ['report_incomplete', writtenReport({ begin: 20, end: 10 })],
    ['report_incomplete', writtenReport({ end: 999_999_999_999 })],
    ['no_report', '<feedback/>'],
  ])('the XML of a report is refused as %s', async (refusal, xml) => {
    expect(await readXml(xml)).toEqual({ refusal });
  });

  it('the XML of a report of too many records is refused while it is read, and one of as many as may be gives way to others', async () => {
    const record = /<record>[^]*<\/record>/.exec(XML)?.[0] ?? '';
    const withRecords = (count: number): string => XML.replace(record, record.repeat(count));
    expect(await readXml(withRecords(READ_LIMITS.records + 1))).toEqual({ refusal: 'too_many_records' });
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const reading = await readXml(withRecords(READ_LIMITS.records));
    clearImmediate(next);
    expect(reading).toMatchObject({ report: { rows: [{ messages: 3 * READ_LIMITS.records }] } });
    expect(turns).toBeGreaterThan(20);
  });

  it('the XML of a report keeps no text that is longer than the limit or cannot be shown', async () => {
    const report = await readWritten({ organization: `Mail\u202e\u2028\u0085${'x'.repeat(1_000)}` });
    expect(report.organization).toMatch(/^Mail x{245,}$/);
    expect(report.organization.length).toBeLessThanOrEqual(READ_LIMITS.textLength);
    const huge = writtenReport({
      records: [
        { headerFrom: `${'a'.repeat(60_000)}.com`, reason: `<reason><type>${'a'.repeat(900)}</type></reason>` },
      ],
    });
    expect(await readXml(huge)).toMatchObject({ report: { rows: [], recordsLeftOut: 1 } });
  });

  it('the XML of a report says the same whatever is written around its texts, and never throws', async () => {
    const text = fc.string({ unit: 'binary' });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (organization, headerFrom, count) => {
        const mail = mailWith(gzipSync(writtenReport({ organization, records: [{ headerFrom, count }] })));
        const reading = await readReport(mail);
        if ('refusal' in reading) return reading.refusal in READING_REFUSALS;
        if (!('report' in reading)) return false;
        const messages = reading.report.rows.map((row) => row.messages);
        return messages.every((number) => Number.isSafeInteger(number) && number > 0);
      }),
    );
  });
});

it('reports of one mail share the elements that it may have, those that are read twice included', async () => {
  const budget = { elements: 1_000 };
  expect(await readAggregate(Buffer.from(XML), budget)).toEqual(EXPECTED);
  const ofOne = 1_000 - budget.elements;
  const badlyEscaped = Buffer.from(XML.replace('</feedback>', '<extra>a & b</extra></feedback>'));
  expect(await readAggregate(badlyEscaped, { elements: 2 * ofOne + 2 })).toEqual(EXPECTED);
  const refused = { refusal: 'too_many_records' };
  await expect(readAggregate(badlyEscaped, { elements: ofOne + 1 })).rejects.toMatchObject(refused);
});

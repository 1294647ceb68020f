import { gzipSync } from 'node:zlib';
import { mailOf, mailWith, writtenReport } from '../../test/support/dmarc-reports.js';
import { zipOf } from '../../test/support/zip.js';
import { writtenTlsFailure, writtenTlsReport } from '../../test/support/tls-reports.js';
import { Pick } from './intake/pick.js';
import { mutate } from './mutate.js';

/** JSON that no object of JavaScript becomes: numbers that are none of its own, members twice, half characters, what is not UTF-8. */
const ODD_JSON = [
  ['null', 'true', '0', '-0', '-1', '1.5', '1e999', '-1e999', '9007199254740993', '1e-400', `1${'0'.repeat(400)}`],
  ['""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00x"', '"\xc0\x80"', '"\xff\xfe"', '"\xed\xa0\x80"'],
  ['[]', '{}', '[[]]', '{"__proto__":{"policies":[]}}', '{"constructor":{"prototype":{"x":1}}}', '{"toString":1}'],
  ['"2026-02-30T00:00:00Z"', '"9999-12-31T23:59:59Z"', '"0000-00-00T00:00:00Z"', '"2026-11-19T00:00:00+99:99"'],
  ['"999999999999"', '"1e3"', '" 1"', '"example.com\\u0000"', '"xn--"', '"::ffff:192.0.2.1"', '"192.0.2.1%eth0"'],
  ['"\\u202e"', `"${'x'.repeat(3_000)}"`, `"${'a.'.repeat(200)}"`, `${'['.repeat(40)}${']'.repeat(40)}`, '{', ']', ''],
].flat();
const ODD_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '\\u0000',
  'policies',
  'policy',
  'summary',
  'failure-details',
];
const ODD_XML = [
  ['-1', '0', '1e9', '99999999999999999999', ' 3 ', '', '\0', '&#0;', '&#xD800;', '&lt;', '&unknown;', '\xff\xfe'],
  [
    '<![CDATA[x]]>',
    '<!-- -->',
    '<?x?>',
    '<a>'.repeat(40),
    '</record>',
    '<row>',
    'x'.repeat(3_000),
    'ex\u0000ample.com',
  ],
].flat();
const TYPES = [
  ['application/tlsrpt+gzip', 'application/tlsrpt+json', 'application/gzip', 'application/zip', 'application/xml'],
  ['application/json; charset=utf-16', 'text/plain', 'text/html', 'multipart/mixed', 'message/rfc822', '', 'a/b; x="'],
].flat();
const NAMES = [
  'r.json.gz',
  'r.xml.gz',
  'r.zip',
  '../../etc/passwd',
  '=?utf-8?B?AAAA?=',
  'x'.repeat(2_000),
  '\0',
  '"; filename="b',
];
/** Unpacked it is more than any report may be. */
const BOMB_BYTES = 60 * 1024 * 1024;
/** Longer items are not repeated: lists of lists of lists would be larger than any mail. */
const MAX_REPEATED = 1_000;
let bomb: Buffer | null = null;

/** A mail that may be a report on encryption or one of DMARC: whole, or wrong in any of its layers. */
export function anyReportMail(random: () => number): Buffer {
  const pick = new Pick(random);
  const text = pick.chance(0.6) ? anyTlsReport(pick) : anyAggregate(pick);
  const bytes = packed(encoded(text, pick), pick);
  if (pick.chance(0.1)) return mailOf(bytes, pick.one(TYPES));
  const others = pick.chance(0.1) ? [mailWith(bytes).toString('latin1')] : [];
  const given = pick.chance(0.6) ? {} : { type: pick.one(TYPES), name: pick.one(NAMES), others };
  const mail = mailWith(bytes, given);
  return pick.chance(0.75) ? mail : damaged(mail, pick);
}

function anyTlsReport(pick: Pick): string {
  const failures = Array.from({ length: pick.below(4) }, () => writtenTlsFailure());
  const report = writtenTlsReport({
    failures,
    reportId: `r-${pick.below(1e9)}`,
    type: pick.one(['sts', 'tlsa', 'no-policy-found']),
  });
  const text = mangled(report, pick, pick.one([0, 0.02, 0.1]));
  return pick.chance(0.8) ? text : mutate([text], pick.random);
}

/** The value as JSON, with odd values and odd members here and there. */
function mangled(value: unknown, pick: Pick, often: number): string {
  if (pick.chance(often)) return pick.one(ODD_JSON);
  if (Array.isArray(value)) {
    const items = value.map((item) => mangled(item, pick, often));
    if (items.length > 0 && items[0]!.length < MAX_REPEATED && pick.chance(often))
      items.push(...Array<string>(pick.below(500)).fill(items[0]!));
    return `[${items.join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (pick.chance(often / 2)) return [];
    const shown = pick.chance(often / 2) ? pick.one(ODD_NAMES) : name;
    const whole = `"${shown}":${mangled(member, pick, often)}`;
    return pick.chance(often / 2) ? [whole, whole] : [whole];
  });
  if (pick.chance(often)) members.unshift(`"${pick.one(ODD_NAMES)}":${pick.one(ODD_JSON)}`);
  return `{${members.join(',')}}`;
}

function anyAggregate(pick: Pick): string {
  const odd = (usual: string): string => (pick.chance(0.1) ? pick.one(ODD_XML) : usual);
  const records = Array.from({ length: 1 + pick.below(3) }, () => ({
    source: odd('192.0.2.10'),
    count: odd('3'),
    disposition: odd('none'),
    dkim: odd('pass'),
    headerFrom: odd('example.com'),
    reason: odd(''),
  }));
  const names = {
    organization: odd('receiver.example'),
    reportId: odd(`r-${pick.below(1e9)}`),
    domain: odd('example.com'),
  };
  const text = writtenReport({
    ...names,
    begin: odd('1770000000'),
    policy: odd('<p>none</p>'),
    metadata: odd(''),
    records,
  });
  return pick.chance(0.7) ? text : mutate([text], pick.random);
}

function encoded(text: string, pick: Pick): Buffer {
  if (pick.chance(0.85)) return Buffer.from(text, 'latin1');
  const bytes = Buffer.from(text, pick.one(['utf8', 'utf16le'] as const));
  return pick.chance(0.5)
    ? bytes
    : Buffer.concat([Buffer.from(pick.one(['\xff\xfe', '\xfe\xff', '\xef\xbb\xbf']), 'latin1'), bytes]);
}

function packed(bytes: Buffer, pick: Pick): Buffer {
  if (pick.chance(0.001)) return (bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES, '{"a":[')));
  switch (pick.below(10)) {
    case 0:
      return bytes;
    case 1:
      return zipOf([['r', bytes]], pick.chance(0.3) ? pick.below(2 ** 32) : undefined);
    case 2:
      return pick.chance(0.5)
        ? gzipSync(gzipSync(bytes))
        : zipOf([
            ['a', bytes],
            ['b', bytes],
          ]);
    case 3:
      return damaged(gzipSync(bytes), pick);
    case 4:
      return damaged(zipOf([['r', bytes]]), pick);
    case 5:
      return Buffer.concat([gzipSync(bytes), Buffer.from(pick.one(['\r\n', '\0', 'x'.repeat(100)]))]);
    default:
      return gzipSync(bytes, { level: pick.below(10) });
  }
}

/** Cut, doubled, or with other bytes in it. */
function damaged(bytes: Buffer, pick: Pick): Buffer {
  const at = pick.below(bytes.length + 1);
  if (pick.chance(0.3)) return bytes.subarray(0, at);
  if (pick.chance(0.2)) return Buffer.concat([bytes, bytes]);
  const other = Buffer.from(Array.from({ length: 1 + pick.below(8) }, () => pick.below(256)));
  return Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at + pick.below(8))]);
}

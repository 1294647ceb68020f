import { readReports, type ReportReading } from '../../src/deliverability/reports/reader/read-report.js';

/** One record of a report that a test writes. */
export interface WrittenRecord {
  readonly source?: string;
  readonly count?: number | string;
  readonly disposition?: string;
  readonly dkim?: string;
  readonly spf?: string;
  readonly headerFrom?: string;
  readonly authResults?: string;
  readonly reason?: string;
}

export interface WrittenReport {
  readonly organization?: string;
  readonly reportId?: string;
  readonly begin?: number | string;
  readonly end?: number | string;
  readonly domain?: string;
  /** Elements of `policy_published` after the domain. */
  readonly policy?: string;
  /** Elements of `report_metadata` after the others. */
  readonly metadata?: string;
  readonly namespace?: string | null;
  readonly records?: readonly WrittenRecord[];
}

/** A report as receivers write it; samples of our own, in the forms of RFC 7489 and RFC 9990. */
export function writtenReport(report: WrittenReport = {}): string {
  const { organization = 'receiver.example', reportId = 'r-1', begin = 1_770_000_000, end = 1_770_086_399 } = report;
  const { domain = 'example.com', policy = '<p>none</p>', metadata = '', namespace = null, records = [{}] } = report;
  const xmlns = namespace === null ? '' : ` xmlns="${namespace}"`;
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback${xmlns}>
  <report_metadata>
    <org_name>${organization}</org_name>
    <email>reports@receiver.example</email>
    <report_id>${reportId}</report_id>
    <date_range><begin>${begin}</begin><end>${end}</end></date_range>${metadata}
  </report_metadata>
  <policy_published><domain>${domain}</domain>${policy}</policy_published>
${records.map((record) => writtenRecord(record, domain)).join('')}</feedback>
`;
}

function writtenRecord(record: WrittenRecord, domain: string): string {
  const { source = '192.0.2.10', count = 3, disposition = 'none', dkim = 'pass', spf = 'pass', reason = '' } = record;
  const { headerFrom = domain, authResults = `<spf><domain>${domain}</domain><result>pass</result></spf>` } = record;
  return `  <record>
    <row>
      <source_ip>${source}</source_ip>
      <count>${count}</count>
      <policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>${reason}</policy_evaluated>
    </row>
    <identifiers><header_from>${headerFrom}</header_from></identifiers>
    <auth_results>${authResults}</auth_results>
  </record>
`;
}

export interface WrittenMail {
  readonly type?: string;
  readonly name?: string;
  /** Parts before the report. */
  readonly others?: readonly string[];
}

const LINE = /.{1,76}/g;

/** A mail with the bytes as its one attachment. */
export function mailWith(
  bytes: Uint8Array | string,
  { type = 'application/gzip', name = 'report.xml.gz', others = [] }: WrittenMail = {},
): Buffer {
  const base64 = Buffer.from(bytes).toString('base64').match(LINE)?.join('\r\n') ?? '';
  const report = `Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n`;
  const parts = ['Content-Type: text/plain\r\n\r\nThis is an aggregate report.\r\n', ...others, report];
  return Buffer.from(
    `${HEAD}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="part"\r\n\r\n${parts.map((part) => `--part\r\n${part}`).join('')}--part--\r\n`,
  );
}

/** A mail whose body is the report, with nothing around it. */
export function mailOf(bytes: Uint8Array | string, type: string): Buffer {
  const base64 = Buffer.from(bytes).toString('base64').match(LINE)?.join('\r\n') ?? '';
  return Buffer.from(
    `${HEAD}MIME-Version: 1.0\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n`,
  );
}

const HEAD =
  'From: reports@receiver.example\r\nTo: reports@in.example\r\nSubject: Report Domain: example.com Submitter: receiver.example Report-ID: <r-1>\r\n';

/**
 * A report of one message that failed, as RFC 6591 section 4 has it.
 * @param fields null: without it
 * @param original of another type, or none
 * @param others parts behind it
 */
export function failureMail(
  fields: Readonly<Record<string, string | null>> = {},
  { type = 'message/rfc822', others = [] }: { readonly type?: string | null; readonly others?: readonly string[] } = {},
): Buffer {
  const parts = ['Content-Type: text/plain\r\n\r\nA message failed.\r\n', ...failureParts(fields, type), ...others];
  return Buffer.from(
    `${HEAD}MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=feedback-report; boundary="arf"\r\n\r\n${parts.map((part) => `--arf\r\n${part}`).join('')}\r\n--arf--\r\n`,
  );
}

/** Its parts, without the text for people. */
export function failureParts(
  fields: Readonly<Record<string, string | null>> = {},
  type: string | null = 'message/rfc822',
): readonly string[] {
  const all = {
    'Feedback-Type': 'auth-failure',
    'User-Agent': 'Receiver/1.0 <jane@receiver.example>',
    Version: '1',
    'Original-Mail-From': 'jane@example.com',
    'Source-IP': '192.0.2.77',
    'Reported-Domain': 'news.example.com',
    'Auth-Failure': 'dkim',
    'Delivery-Result': 'reject',
    'DKIM-Domain': 'mail.example.com',
    'DKIM-Selector': 's1',
    'DKIM-Identity': 'jane@mail.example.com',
    Incidents: '3',
    ...fields,
  };
  const told = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}\r\n`));
  return [
    `Content-Type: message/feedback-report\r\n\r\n${told.join('')}`,
    ...(type === null ? [] : [`Content-Type: ${type}\r\n\r\nFrom: Jane <jane@example.com>\r\nSubject: Secret\r\n\r\n`]),
  ];
}

/** What a mail with one report, or none, is read as. */
export async function readReport(mail: Uint8Array): Promise<ReportReading> {
  const [first, ...others] = await readings(mail);
  if (first === undefined || others.length > 0) throw new Error('several reports, or no word of any');
  return first;
}

export async function readings(mail: Uint8Array): Promise<readonly ReportReading[]> {
  const all: ReportReading[] = [];
  for await (const reading of readReports(mail)) all.push(reading);
  return all;
}

export interface WrittenTlsReport {
  readonly organization?: unknown;
  readonly reportId?: unknown;
  readonly begin?: unknown;
  readonly end?: unknown;
  readonly domain?: unknown;
  readonly type?: unknown;
  readonly successful?: unknown;
  readonly failed?: unknown;
  readonly failures?: unknown;
  /** Instead of the one policy. */
  readonly policies?: unknown;
}

/** A report on encryption as senders write it (RFC 8460 section 4.4, whose example has these members). */
export function writtenTlsReport(report: WrittenTlsReport = {}): object {
  const { organization = 'sender.example', reportId = '5065427c-23d3@sender.example', domain = 'example.com' } = report;
  const { begin = '2026-11-19T00:00:00Z', end = '2026-11-19T23:59:59Z', type = 'sts' } = report;
  const { successful = 5_326, failed = 303, failures = [writtenTlsFailure()] } = report;
  const policy = {
    policy: {
      'policy-type': type,
      'policy-string': ['version: STSv1', 'mode: testing', 'mx: *.mail.example.com', 'max_age: 86400'],
      'policy-domain': domain,
      'mx-host': ['*.mail.example.com'],
    },
    summary: { 'total-successful-session-count': successful, 'total-failure-session-count': failed },
    'failure-details': failures,
  };
  return {
    'organization-name': organization,
    'date-range': { 'start-datetime': begin, 'end-datetime': end },
    'contact-info': 'sts-reporting@sender.example',
    'report-id': reportId,
    policies: report.policies ?? [policy],
  };
}

export function writtenTlsFailure(members: Readonly<Record<string, unknown>> = {}): object {
  return {
    'result-type': 'certificate-expired',
    'sending-mta-ip': '2001:db8:abcd:0012::1',
    'receiving-mx-hostname': 'mx1.mail.example.com',
    'receiving-ip': '192.0.2.26',
    'failed-session-count': 100,
    ...members,
  };
}

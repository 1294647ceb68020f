/**
 * From where on a state is a problem: the limits of the alerts of config/observability/rules.yml, without the time for which they must last
 * there. The file is Prometheus's, which reads no other, so that the limits stand twice; `alert-limits.spec.ts` holds them together.
 */
export const ALERT_LIMITS = {
  MailsondeBatchWaits: { seconds: 600 },
  MailsondeWebhooksLate: { seconds: 300 },
  MailsondeMonitorsLate: { seconds: 300 },
  MailsondeLedgerNotCompared: { seconds: 600 },
  MailsondeAgentPoolLow: { share: 0.1 },
  /** So many times the share of the day before, at least this share, of more than so many answers. */
  MailsondeUnknownShare: { times: 2, share: 0.05, answers: 100 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

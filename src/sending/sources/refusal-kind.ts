/** What a refusal is about, when it is about us and not about a mailbox. */
export const REFUSAL_KINDS = ['ip_blocked', 'rate_limited', 'sender_rejected', 'greylisted'] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

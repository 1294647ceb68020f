/** One row of `config/key-policies.json`: everything that differs by key kind and plan, as data. */
export interface KeyPolicy {
  readonly name: string;
  /** Shape of replies. */
  readonly shape: 'envelope' | 'flat';
  /** At most `requests` in any `windowSeconds` (sliding), or a token bucket. */
  readonly rate:
    | { readonly kind: 'window'; readonly requests: number; readonly windowSeconds: number }
    | { readonly kind: 'bucket'; readonly perSecond: number; readonly burst: number };
  readonly requestsInFlight: number;
  readonly batchSize: number;
  /** Credits of a UTC day, from the shared pool; null where credits are a balance. */
  readonly dailyFreeCredits: number | null;
  /** Granted once, when the account is made. */
  readonly grantedCredits: number;
  readonly keyLifeDays: number | null;
  /** Whether an `unknown` verdict is charged. */
  readonly chargeUnknown: boolean;
  readonly retentionDays: number;
  readonly mcpTools: readonly string[];
}

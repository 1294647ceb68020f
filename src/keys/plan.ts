/** What a full account may be on: rows of `config/key-policies.json`. */
export const PLANS = ['free', 'pro', 'scale'] as const;

export type Plan = (typeof PLANS)[number];

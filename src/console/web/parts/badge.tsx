/** What a word of the service is like; a word that is none of them says nothing good or bad. */
const COLOURS: Readonly<Record<string, string>> = {
  ok: 'valid',
  clean: 'valid',
  healthy: 'valid',
  completed: 'valid',
  pass: 'valid',
  expired: 'risky',
  certain: 'valid',
  warning: 'risky',
  medium: 'risky',
  low: 'risky',
  needs_you: 'risky',
  none: 'risky',
  softfail: 'risky',
  critical: 'invalid',
  high: 'invalid',
  listed: 'invalid',
  fail: 'invalid',
  permerror: 'invalid',
};

/** A word of the service as a badge; the word is the message, and the colour only repeats it. */
export function StateBadge({ state }: { readonly state: string }) {
  return <span class={`badge ${COLOURS[state] ?? 'unknown'}`}>{state.replaceAll('_', ' ')}</span>;
}

/** As their owners write them; the ids are rows of `config/seed-providers.json`. */
const NAMES: Readonly<Record<string, string>> = {
  outlook: 'Outlook.com',
  aol: 'AOL',
  icloud: 'iCloud',
  gmx: 'GMX',
  webde: 'WEB.DE',
  zoho: 'Zoho Mail',
  mailru: 'Mail.ru',
  other: 'Another server',
};

/** Such as `Gmail`; one that is new here is called by its id. */
export const providerName = (provider: string): string =>
  NAMES[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1);

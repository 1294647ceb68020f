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

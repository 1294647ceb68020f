/** What one examination came to. `skipped`: not tried, or not to be told; the text says how it could be. */
export interface Finding {
  /** Stable, for programs. */
  readonly name: 'helo' | 'port25' | 'spf' | 'bounces' | 'mailboxes';
  readonly state: 'pass' | 'fail' | 'skipped';
  readonly text: string;
  /** What to do about it. */
  readonly advice: string | null;
}

type Name = Finding['name'];

export const pass = (name: Name, text: string): Finding => ({ name, state: 'pass', text, advice: null });
export const fail = (name: Name, text: string, advice: string): Finding => ({ name, state: 'fail', text, advice });
export const skipped = (name: Name, text: string, advice: string | null = null): Finding => ({
  name,
  state: 'skipped',
  text,
  advice,
});

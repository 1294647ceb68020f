/** The result of one examination. `skipped`: it was not tried or gave no result; the text says how it can give one. */
export interface CheckResult {
  /** Stable, for programs. */
  readonly name:
    | 'dns'
    | 'helo'
    | 'port25'
    | 'sockets'
    | 'spf'
    | 'block_lists'
    | 'source'
    | 'bounces'
    | 'reports'
    | 'mailboxes'
    | 'certificates'
    | 'registration'
    | 'bimi'
    | 'replica';
  readonly state: 'pass' | 'fail' | 'skipped';
  readonly text: string;
  /** The advice for this problem. */
  readonly advice: string | null;
}

type Name = CheckResult['name'];

export const pass = (name: Name, text: string): CheckResult => ({ name, state: 'pass', text, advice: null });
export const fail = (name: Name, text: string, advice: string): CheckResult => ({ name, state: 'fail', text, advice });
export const skipped = (name: Name, text: string, advice: string | null = null): CheckResult => ({
  name,
  state: 'skipped',
  text,
  advice,
});

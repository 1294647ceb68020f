import type { Readable } from 'node:stream';
import type { AuthenticateOptions, AuthenticateResult } from 'mailauth';

type Authenticate = (message: Readable, options: AuthenticateOptions) => Promise<AuthenticateResult>;

let loaded: Promise<Authenticate> | null = null;

/** mailauth, loaded with the first message that is judged: commands and processes that judge none never load it (docs/adr/0045). */
export function loadMailauth(): Promise<Authenticate> {
  loaded ??= import('mailauth').then((library) => library.authenticate as Authenticate);
  return loaded;
}

import type { arc, dkimVerify } from 'mailauth';
import type { evaluateDmarc } from 'mailauth/lib/dmarc/index.js';

/** The parts of mailauth that judge a message. Its SPF is none of them: the engine has one of its own, which explains itself. */
export interface Mailauth {
  readonly dkimVerify: typeof dkimVerify;
  readonly arc: typeof arc;
  readonly evaluateDmarc: typeof evaluateDmarc;
}

let loaded: Promise<Mailauth> | null = null;

/** mailauth, loaded with the first message that is judged: commands and processes that judge none never load it (docs/adr/0045). */
export function loadMailauth(): Promise<Mailauth> {
  loaded ??= Promise.all([import('mailauth'), import('mailauth/lib/dmarc/index.js')]).then(
    ([{ dkimVerify, arc }, { evaluateDmarc }]) => ({ dkimVerify, arc, evaluateDmarc }),
  );
  return loaded;
}

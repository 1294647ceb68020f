import type { Checks, Evidence } from '../engine/types.js';
import type { ChecksBody, EvidenceBody } from './verification.reply.js';

/* Parts of full accounts' replies that verifications and searches share. Null: the body leaves the member out. The compiler asks
   here for a new one. */

const CHECKS = {
  syntax: 'syntax',
  mx: 'mx',
  smtp: 'smtp',
  catchAll: 'catch_all',
  disposable: 'disposable',
  role: 'role',
  free: 'free',
  spamTrap: 'spam_trap',
  privacyRelay: null,
} as const satisfies Record<keyof Checks, keyof ChecksBody | null>;

const EVIDENCE = {
  stage: 'stage',
  mxHost: 'mx_host',
  mxAddress: 'mx_address',
  code: 'reply_code',
  enhanced: 'enhanced_code',
  text: 'text',
  at: null,
  fromCache: 'from_cache',
  witness: 'witness',
  source: 'source',
} as const satisfies Record<keyof Evidence, keyof EvidenceBody | null>;

type NamedIn<Table> = NonNullable<Table[keyof Table]>;

export function checksBody(checks: Checks): Pick<ChecksBody, NamedIn<typeof CHECKS>> {
  return {
    syntax: checks.syntax,
    mx: checks.mx,
    smtp: checks.smtp,
    catch_all: checks.catchAll === 'yes',
    disposable: checks.disposable,
    role: checks.role,
    spam_trap: checks.spamTrap,
    free: checks.free,
  };
}

export function evidenceBody(evidence: Evidence): Readonly<Pick<EvidenceBody, NamedIn<typeof EVIDENCE>>> {
  return {
    stage: evidence.stage,
    mx_host: evidence.mxHost,
    mx_address: evidence.mxAddress,
    reply_code: evidence.code,
    enhanced_code: evidence.enhanced,
    text: evidence.text,
    from_cache: evidence.fromCache,
    witness: evidence.witness,
    source: evidence.source,
  };
}

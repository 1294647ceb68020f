import type { Checks, Evidence } from '../engine/types.js';

/* Parts of full accounts' replies that verifications and searches share. */

export function checksBody(checks: Checks): object {
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

export function evidenceBody(evidence: Evidence): object {
  return {
    stage: evidence.stage,
    mx_host: evidence.mxHost,
    mx_address: evidence.mxAddress,
    reply_code: evidence.code,
    enhanced_code: evidence.enhanced,
    text: evidence.text,
    from_cache: evidence.fromCache,
  };
}

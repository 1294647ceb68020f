import type { Verification } from '../../engine/types.js';
import { type Trace, writeStep } from '../../platform/logging/trace.js';

/** The step of a verification: what decided it, without the address and the names of its mail hosts, which may be a person's own. */
export function writeDialogue({ id, requestId }: Trace, { verdict, reason, evidence }: Verification, ms: number): void {
  const { stage, code, source } = evidence;
  const decided = code === null ? `at ${stage}` : `by ${code} at ${stage}`;
  writeStep(`verified: ${verdict}, ${reason}, decided ${decided}`, {
    trace_id: id,
    request_id: requestId,
    verdict,
    reason,
    stage,
    code,
    source,
    ms,
  });
}

import type { ReplyClass } from '../../engine/types.js';
import type { RefusalKind } from '../../sources/refusal-kind.js';

const KINDS: Readonly<Partial<Record<ReplyClass, RefusalKind>>> = {
  ip_blocked: 'ip_blocked',
  ptr_required: 'ip_blocked',
  rate_limited: 'rate_limited',
  sender_rejected: 'sender_rejected',
  greylisted: 'greylisted',
};

/** What a reply refuses of us as a client, or asks us to wait for; null: it is about a mailbox, a message or a rule, or a fault of the host. */
export function refusalKind(about: ReplyClass): RefusalKind | null {
  return KINDS[about] ?? null;
}

import { Injectable } from '@nestjs/common';
import type { SmtpListener } from '../../engine/index.js';
import type { ReplyClass } from '../../engine/types.js';
import { counter } from '../../platform/metrics/metrics.js';
import { OperatorLabels } from './operator-labels.js';

const sessions = counter(
  'mailsonde_smtp_sessions_total',
  'SMTP sessions that a mail host greeted, or refused in its greeting, by mail operator and our source.',
  ['operator', 'source'],
);

const refusals = counter(
  'mailsonde_smtp_refusals_total',
  'Replies that are about us or ask for patience, and not about a mailbox.',
  ['operator', 'source', 'kind'],
);

/** Other replies are about mailboxes, or faults of the host. */
const KINDS: Readonly<Partial<Record<ReplyClass, string>>> = {
  ip_blocked: 'ip_blocked',
  ptr_required: 'ip_blocked',
  rate_limited: 'rate_limited',
  sender_rejected: 'sender_rejected',
  greylisted: 'greylisted',
};

/** Counts what mail operators answer to the real engine. */
@Injectable()
export class SmtpMetrics implements SmtpListener {
  constructor(private readonly labels: OperatorLabels) {}

  opened(operator: string, source: string): void {
    sessions.inc({ operator: this.labels.of(operator), source });
  }

  refused(operator: string, source: string, about: ReplyClass): void {
    const kind = KINDS[about];
    if (kind !== undefined) refusals.inc({ operator: this.labels.of(operator), source, kind });
  }
}

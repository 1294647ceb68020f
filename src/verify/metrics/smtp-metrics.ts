import { Injectable } from '@nestjs/common';
import type { Refusal, SmtpListener } from '../../engine/verification/engine.js';
import { counter } from '../../platform/metrics/metrics.js';
import { OperatorLabels } from './operator-labels.js';
import { refusalKind } from './refusal-kind.js';

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

/** Counts what mail operators answer to the real engine. */
@Injectable()
export class SmtpMetrics implements SmtpListener {
  constructor(private readonly labels: OperatorLabels) {}

  opened(operator: string, source: string): void {
    sessions.inc({ operator: this.labels.of(operator), source });
  }

  refused({ operator, source, about }: Refusal): void {
    const kind = refusalKind(about);
    if (kind !== null) refusals.inc({ operator: this.labels.of(operator), source, kind });
  }
}

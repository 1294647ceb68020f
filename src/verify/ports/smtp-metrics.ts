import { Injectable } from '@nestjs/common';
import type { Refusal, SmtpListener } from '../../engine/index.js';
import type { ReplyClass } from '../../engine/types.js';
import { counter } from '../../platform/metrics/metrics.js';
import type { RefusalKind } from '../../sources/refusals/refusal-kind.js';
import { readMailProviders } from './mail-providers-file.js';

/** The word for hosts without a row in `config/mail-providers.json`, of which there are more than numbers can have labels. */
export const OTHER = 'other';

/** Names of mail operators as numbers may have them: rows of the file, and one word for all others. */
@Injectable()
export class OperatorLabels {
  private readonly names: ReadonlySet<string> = new Set(readMailProviders().all.map(({ name }) => name));

  of(operator: string): string {
    return this.names.has(operator) ? operator : OTHER;
  }
}

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

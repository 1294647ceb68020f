import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import type { Refusal, SmtpListener } from '../../engine/smtp/connect/session.js';
import { refusalText } from '../../engine/smtp/reply/evidence-text.js';
import type { ReplyClass } from '../../engine/types.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { counter } from '../../platform/metrics/metrics.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import type { RefusalKind } from '../../sending/sources/refusal-kind.js';
import { SourceRefusalsService } from '../../sending/sources/source-refusals.service.js';
import { mailProviders } from './mail-providers-file.js';

/** The word for hosts without a row in `config/mail-providers.json`, of which there are more than numbers can have labels. */
const OTHER = 'other';

/** Names of mail operators as numbers may have them: rows of the file, and one word for all others. */
@Injectable()
export class OperatorLabels {
  private readonly names: ReadonlySet<string> = new Set(mailProviders().all.map(({ name }) => name));

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
function refusalKind(about: ReplyClass): RefusalKind | null {
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

const EVERY_MS = 5_000;
/** Operators without a row that are told by name in a day, so that a list of hostile domains does not fill the table. */
const MAX_UNKNOWN_OPERATORS = 500;

interface Count {
  refusals: number;
  last: Refusal;
  at: number;
}

/** Counts what mail operators refuse our sources by kind, and tells it to administrators with the last text of each. */
@Injectable()
export class RefusalReports extends PeriodicJob {
  private counts = new Map<string, Count & { readonly operator: string; readonly kind: RefusalKind }>();
  private readonly unknown = new Set<string>();
  private day = 0;

  constructor(
    private readonly labels: OperatorLabels,
    private readonly refusals: SourceRefusalsService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('refusals were not told', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    // Where the database is gone, so are the last seconds.
    await this.run().catch(() => undefined);
  }

  record(refusal: Refusal): void {
    const kind = refusalKind(refusal.about);
    if (kind === null) return;
    const operator = this.nameOf(refusal.operator);
    const key = `${kind} ${refusal.source} ${operator}`;
    const count = this.counts.get(key);
    const at = this.clock.now();
    if (count === undefined) this.counts.set(key, { operator, kind, refusals: 1, last: refusal, at });
    else {
      count.refusals += 1;
      count.last = refusal;
      count.at = at;
    }
  }

  /** Tells what was counted since it was told; what could not be told is told the next time. */
  async run(): Promise<void> {
    if (this.counts.size === 0) return;
    const counts = this.counts;
    this.counts = new Map();
    const told = [...counts.values()].map(({ operator, kind, refusals, last, at }) => ({
      operator,
      source: last.source,
      kind,
      refusals,
      lastReply: last.reply.enhanced === null ? String(last.reply.code) : `${last.reply.code} ${last.reply.enhanced}`,
      lastText: refusalText(last.reply.text, last.recipient),
      lastAt: new Date(at),
    }));
    try {
      await this.refusals.add(told, this.clock.date());
    } catch (error) {
      for (const [key, count] of counts) {
        const newer = this.counts.get(key);
        if (newer === undefined) this.counts.set(key, count);
        else newer.refusals += count.refusals;
      }
      throw error;
    }
  }

  private nameOf(operator: string): string {
    if (this.labels.of(operator) !== OTHER) return operator;
    const day = Math.floor(this.clock.now() / DAY_MS);
    if (day !== this.day) this.unknown.clear();
    this.day = day;
    if (this.unknown.has(operator)) return operator;
    if (this.unknown.size >= MAX_UNKNOWN_OPERATORS) return OTHER;
    this.unknown.add(operator);
    return operator;
  }
}

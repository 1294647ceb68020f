import { Inject, Injectable } from '@nestjs/common';
import type { TargetResultReply } from '../../blacklists/blacklists.reply.js';
import { targetResult } from '../../blacklists/check-reply.js';
import { ListQuestionsService } from '../../blacklists/list-questions.service.js';
import { createFactDns, type WatchedDns, withinTime } from '../../domains/fact-dns.js';
import { readTarget } from '../../../mail-dns/targets.js';
import type { FactDns } from '../../../engine/domain/facts.js';
import { type MailToRead, ReadingEnded, ReadingThreads, type ThreadWork } from '../../inbound/reading-threads.js';
import { TIMER, type Timer } from '../../../platform/clock.js';
import { ENV, type Env } from '../../../platform/config/env.js';
import { RESOLVER_JUDGE, type ResolverJudge } from '../../../resolver/resolver.module.js';
import { bulkSenderRules } from './bulk-sender-rules.js';
import { askRspamd, askSpamd } from './spam-filters.js';
import { judgeReport } from './judge-report.js';
import { type KnownKeys, type SeenSignatures, VERIFY_SIGNATURES } from './signatures.js';
import { type MessageFacts, unsubscribeSection } from './message-facts.js';
import { type PlacementReport, type ReportFinding, reportFinding, type ReportSections } from './placement-report.js';
import { withRecords } from './records-to-publish.js';
import { authenticationSection, type ReportEnvelope, transportSection } from './authentication.js';
import { type DnsTally, talliedDns } from './report-dns.js';
import type { AuthenticationReply, SpamFilterReply } from './report-sections.reply.js';

export interface MessageToJudge {
  readonly raw: Buffer;
  readonly envelope: ReportEnvelope;
  readonly receivedAt: Date;
  /** The world that plays the DNS and the block lists in test mode; null: the real ones are asked. */
  readonly world: FactDns | null;
  /** Whose message it is: messages of accounts are read in turn, and so are their questions to the DNS. */
  readonly accountId: string;
}

const MESSAGE_FACTS: ThreadWork = { file: new URL('./message-facts.js', import.meta.url), name: 'messageFacts' };
/** For all that is asked of the DNS. */
const DNS_MS = 20_000;
const LISTS_MS = 10_000;
/** Targets of block lists: the address, the domains of From and of signatures, then those of links. */
const MAX_TARGETS = 12;

type Judged = Omit<PlacementReport, 'dns_answered'>;

const NOTHING_READ: ReportSections = {
  transport: null,
  authentication: null,
  headers: null,
  unsubscribe: null,
  content: null,
  reputation: [],
  spam_filter: null,
};

const UNREAD = {
  too_long: 'Reading the message takes longer than Mailsonde reads one message.',
  too_large: 'Reading the message takes more memory than Mailsonde has for one message.',
} as const;

/** Makes the report of a message. It fetches no link, renders nothing, and asks of links only what their domains are listed on. */
@Injectable()
export class ReportMakerService {
  readonly #dns: WatchedDns;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly lists: ListQuestionsService,
    @Inject(TIMER) private readonly timer: Timer,
    @Inject(RESOLVER_JUDGE) judge: ResolverJudge,
    private readonly threads: ReadingThreads,
  ) {
    this.#dns = createFactDns(env.dnsServers, judge);
  }

  async make(given: MessageToJudge): Promise<PlacementReport> {
    try {
      const facts = await this.threads.read<MessageFacts | null>(MESSAGE_FACTS, {
        ...toRead(given),
        given: { sender: given.envelope.mailFrom ?? '', receivedAt: given.receivedAt },
      });
      if (facts !== null) return await this.reported(facts, given);
      return reportOfNothing(reportFinding('header_too_large', 'The header is too large to be looked at.'));
    } catch (fault) {
      if (!(fault instanceof ReadingEnded)) throw fault;
      return reportOfNothing(reportFinding('message_unreadable', UNREAD[fault.why]));
    }
  }

  private async reported(facts: MessageFacts, given: MessageToJudge): Promise<PlacementReport> {
    const isPlayed = given.world !== null;
    // What it said a minute ago is not enough: a report is charged, and may tell of absences that are grave.
    const isBelieved = !isPlayed && (await this.#dns.examine());
    const tally = { silent: 0 };
    const dns = given.world ?? this.#dns.of(given.accountId);
    const judged = await withinTime(dns, { ms: DNS_MS, timer: this.timer }, (asked) =>
      this.judged(facts, given, talliedDns(asked, tally)),
    );
    return { ...judged, dns_answered: isPlayed || (await this.hasAnswered(tally, isBelieved)) };
  }

  /**
   * Name servers of a sender that are silent are a fact about the sender, even where all of them are: who writes a message chooses them, and
   * would have reports for nothing. Our resolver is to blame where its own checks before and behind the questions are not both passed.
   */
  private async hasAnswered({ silent }: DnsTally, wasBelieved: boolean): Promise<boolean> {
    return silent === 0 || (wasBelieved && (await this.#dns.examine()));
  }

  private async judged(facts: MessageFacts, given: MessageToJudge, dns: FactDns): Promise<Judged> {
    const sections = await this.sectionsOf(facts, given, dns);
    const unread = facts.content === null ? [reportFinding('message_unreadable', 'Its parts cannot be read.')] : [];
    const { leftOutSignatures: leftOut } = facts;
    const tooMany = leftOut > 0 ? [reportFinding('dkim_too_many', `${leftOut} signatures are not looked at.`)] : [];
    // Where none is looked at, nobody can say whether the message is signed.
    const isUnseen = leftOut > 0 && sections.authentication?.dkim.length === 0;
    const seen = isUnseen ? { ...sections, authentication: null } : sections;
    const anyAddress = given.world !== null;
    const findings = await withRecords([...unread, ...judgeReport(seen), ...tooMany], seen, dns, { anyAddress });
    return storable({ ...sections, bulk_sender_rules: bulkSenderRules(seen), findings });
  }

  private async sectionsOf(facts: MessageFacts, given: MessageToJudge, dns: FactDns): Promise<ReportSections> {
    const { envelope, raw, world } = given;
    const { content, headers, signatures } = facts;
    const look = (keys: KnownKeys): Promise<SeenSignatures> =>
      // The first look was one at all else, too.
      keys.size === 0
        ? Promise.resolve(signatures)
        : this.threads.read(VERIFY_SIGNATURES, {
            ...toRead(given),
            given: { sender: envelope.mailFrom ?? '', keys },
          });
    const [authentication, transport, spam_filter] = await Promise.all([
      authenticationSection(look, envelope, dns),
      transportSection(envelope, dns),
      world === null ? this.askFilter(raw, envelope) : null,
    ]);
    const targets = targetsOf(envelope, authentication, content?.links.hosts ?? []);
    return {
      transport,
      authentication,
      headers,
      unsubscribe: unsubscribeSection(facts, authentication),
      content,
      reputation: await this.reputationOf(targets, world !== null),
      spam_filter,
    };
  }

  private askFilter(raw: Buffer, envelope: ReportEnvelope): Promise<SpamFilterReply> | null {
    const { rspamdUrl: url, rspamdPassword: password, spamd } = this.env;
    if (url !== null) return askRspamd({ url, password }, raw, envelope);
    return spamd === null ? null : askSpamd(spamd, raw);
  }

  private async reputationOf(texts: readonly string[], simulated: boolean): Promise<readonly TargetResultReply[]> {
    const targets = texts.flatMap((text) => {
      const target = readTarget(text, simulated);
      return typeof target === 'string' ? [] : [target];
    });
    if (targets.length === 0) return [];
    const answered = await this.lists.ask(targets, { simulated, only: null, budgetMs: LISTS_MS });
    return answered.map(targetResult);
  }
}

/** A report in which nothing but one thing is found. */
function reportOfNothing(finding: ReportFinding): PlacementReport {
  const rules = bulkSenderRules(NOTHING_READ);
  return { ...NOTHING_READ, dns_answered: true, bulk_sender_rules: rules, findings: [finding] };
}

function toRead({ raw, accountId }: MessageToJudge): MailToRead {
  return { mail: raw, turn: accountId };
}

/** As they are named in the message: which lists want to be asked about the registered domain of a name is for the lists to say. */
function targetsOf(
  { clientAddress }: ReportEnvelope,
  { dkim, dmarc }: AuthenticationReply,
  linkHosts: readonly string[],
): readonly string[] {
  const names = [dmarc.domain, ...dkim.map(({ domain }) => domain), ...linkHosts].flatMap((name) => name ?? []);
  return [...new Set([...(clientAddress === null ? [] : [clientAddress]), ...names])].slice(0, MAX_TARGETS);
}

/** PostgreSQL keeps neither NUL nor half a character in JSON, and what senders write may have both. */
function storable<T>(value: T): T {
  if (typeof value === 'string') return Buffer.from(value).toString().replaceAll('\0', '\u{fffd}') as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, storable(member)])) as T;
}

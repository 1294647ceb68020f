import { Injectable } from '@nestjs/common';
import { type TargetAnswers, ListQuestionsService } from '../blacklists/list-questions.service.js';
import { type CheckedDomain, DomainCheckerService } from '../domains/domain-checker.service.js';
import { domainResult, isOursToBlame, outcomeOf } from '../domains/domain-result.js';
import type { Target } from '../../mail-dns/targets.js';
import { answeredAreas, hiddenCodes, isAnswered } from '../../engine/domain/domain-state.js';
import type { ExaminedDomain } from '../../engine/domain/judges/judge-domain.js';
import type { DomainFacts } from '../../engine/domain/facts.js';
import type { FindingArea } from '../../engine/domain/finding.js';
import { mailProviders } from '../../verify/ports/mail-providers-file.js';
import type { Observation } from './findings/observation.js';
import { readListings, settledFacts } from './findings/run-facts.js';
import type { KnownSilence, Monitor, MonitorMemory } from './findings/monitor.js';
import type { MonitorArea, MonitorFacts, SeenFinding } from './findings/monitor-run.js';
import {
  afterDaily,
  afterSearch,
  areasToCheck,
  selectorsToCheck,
  askAgainSoon,
  domainAreas,
  isDailyDue,
  listTargets,
  NO_TARGETS,
  watchedAreas,
  withDaily,
} from './findings/watched-scope.js';
import { domainSets, watchChanges } from './findings/domain-changes.js';
import { watchPresence } from './findings/presence.js';
import { timingsOf } from './findings/timings.js';
import { isLasting, lastingSilences, silenceFindings } from './findings/lasting-silence.js';

const DOMAIN_MS = 20_000;
const LISTS_MS = 15_000;
/** A look is over by then, whoever is silent. */
export const MAX_PROBE_MS = DOMAIN_MS + LISTS_MS;
/** What looks by itself leaves the rest of a list's day to people, and what only receives leaves it to what sends. */
const SENDERS_SHARE = 0.8;
const RECEIVERS_SHARE = 0.6;

/** As much of a record as is worth keeping, and no character that PostgreSQL cannot. */
const STORABLE_RECORD = /^[\x20-\x7e]{1,1000}$/;

const NO_FACTS: MonitorFacts = { records: [], spf_lookups: null, dnssec: null, blacklists: [], unanswered: [] };

/** Looks at what a monitor watches. It keeps nothing, charges nobody and tells nobody. */
@Injectable()
export class MonitorProbe {
  readonly #providers = mailProviders();

  constructor(
    private readonly domains: DomainCheckerService,
    private readonly lists: ListQuestionsService,
  ) {}

  /**
   * @param before the facts of the run before, which stand in for what nobody answers
   * @param asksAfresh everybody is asked, whatever is remembered of them
   */
  async look(monitor: Monitor, before: MonitorFacts | null, now: Date, asksAfresh: boolean): Promise<Observation> {
    const watched = watchedAreas(monitor);
    const asksDomain = monitor.kind === 'domain' && domainAreas(watched).size > 0;
    const asked = selectorsToCheck(monitor.settings.dkimSelectors, monitor.memory, now);
    // Behind a test key nobody is asked.
    const isDailyRun = monitor.simulated || asksAfresh || isDailyDue(monitor.memory, watched, now);
    const areas = areasToCheck(watched, isDailyRun);
    const checked = monitor.kind === 'domain' ? await this.check(monitor, asked, asksDomain, areas) : null;
    const { senders, receivers } = watched.has('blacklists')
      ? listTargets(
          monitor,
          checked?.facts ?? null,
          (host) => this.#providers.forMailHost(host) !== this.#providers.fallback,
        )
      : NO_TARGETS;
    const [sending, receiving] = await Promise.all([
      this.ask(monitor, senders, { share: SENDERS_SHARE, asksAfresh }),
      this.ask(monitor, receivers, { share: RECEIVERS_SHARE, asksAfresh }),
    ]);
    const listed = readListings(sending, receiving);
    const result = checked && domainResult(checked, domainAreas(watched));
    const facts = { ...NO_FACTS, ...(result && factsOf(result)), blacklists: listed.facts };
    const current = {
      findings: (result?.findings ?? []).filter((one) => isTheirs(one, monitor)),
      answered: checked === null ? new Set<FindingArea>() : answeredAreas(checked.facts),
    };
    const said = isDailyRun ? current : withDaily(current, monitor.memory);
    const searched = asked.searchesKeys && checked !== null && monitor.settings.dkimSelectors.length === 0;
    const hasAnswered = checked !== null && isAnswered(checked.facts);
    const memory = searched && hasAnswered ? afterSearch(monitor.memory, checked.facts, now) : monitor.memory;
    const kept = isDailyRun && hasAnswered ? afterDaily(memory, current, watched, now) : memory;
    const changed = watchChanges(
      monitor.memory.changes ?? [],
      {
        sets: result && checked ? domainSets(checked, result) : [],
        areas: watched,
        selectors: asked.selectors.length === 0 ? null : new Set(asked.selectors),
      },
      { now, timings: timingsOf(monitor.simulated) },
    );
    const there = watchPresence(monitor.memory.presence ?? {}, {
      domain: monitor.target,
      records: result?.records ?? [],
      answered: current.answered,
      selectors: asked.selectors,
    });
    const silences = asksDomain ? await this.silences(monitor, checked!.facts, now) : [];
    const { silenceConfirmAfterMs: confirmAfterMs } = timingsOf(monitor.simulated);
    const silent = silenceFindings(
      silences.filter(({ area }) => watched.has(area)),
      { now, confirmAfterMs },
    );
    const waits = [
      ...silences
        .filter((one) => !isLasting(one, { now, confirmAfterMs }))
        .map(({ since }) => Date.parse(since) + confirmAfterMs - now.getTime()),
      ...(changed.againMs === null ? [] : [changed.againMs]),
    ];
    const unanswered = checked?.facts.unanswered ?? [];
    return {
      answered: asksDomain ? hasAnswered : listed.isAnswered,
      isUntrusted:
        (checked !== null && isOursToBlame(checked.untrusted, unanswered)) ||
        (!listed.isAnswered && listed.isUntrusted),
      isOpen: asksDomain && unanswered.some(({ isOpen, area }) => isOpen && watched.has(area)),
      outcome: asksDomain ? outcomeOf(checked!.facts, result!.state) : listed.isAnswered ? 'answered' : 'unanswered',
      hasLearned: (asksDomain && hasAnswered) || listed.hasLearned,
      facts: settledFacts(facts, before, unanswered),
      findings: [...said.findings, ...changed.findings, ...there.findings, ...silent, ...listed.findings],
      watchedAreas: watched,
      answeredAreas: new Set<MonitorArea>(said.answered),
      hiddenCodes: checked === null ? new Set() : hiddenCodes(checked.facts),
      targets: new Set([...senders, ...receivers].map(({ value }) => value)),
      closedLists: listed.closed,
      takenBack: changed.takenBack,
      againMs: waits.length === 0 ? null : Math.min(...waits),
      memory: {
        ...(changed.asksRegistry ? askAgainSoon(kept) : kept),
        changes: changed.changes,
        presence: there.presence,
        silences,
        ...(checked && seenDmarc(checked)),
      },
    };
  }

  private async silences(
    { simulated, memory }: Monitor,
    facts: DomainFacts,
    now: Date,
  ): Promise<readonly KnownSilence[]> {
    if (facts.unanswered.every(({ isOpen }) => !isOpen)) return [];
    const isOurFault = !simulated && !(await this.domains.isResolverFit());
    return lastingSilences(memory.silences ?? [], facts, { now, isOurFault });
  }

  /** For lists alone the records matter as well: they name the senders. */
  private check(
    { target: domain, accountId, settings, simulated, runs, memory }: Monitor,
    asked: { readonly selectors: readonly string[]; readonly searchesKeys: boolean },
    asksDomain: boolean,
    areas: readonly FindingArea[],
  ): Promise<CheckedDomain> {
    const keys = asksDomain ? { ...asked, areas } : { selectors: [], searchesKeys: false, areas: [] };
    return this.domains.check(
      { domain, senders: settings.sendingAddresses, lastDmarc: memory.dmarc ?? null, ...keys },
      { simulated, accountId, budgetMs: DOMAIN_MS, run: runs + 1 },
    );
  }

  private ask(
    { simulated, runs }: Monitor,
    targets: readonly Target[],
    more: { readonly share: number; readonly asksAfresh: boolean },
  ): Promise<readonly TargetAnswers[]> {
    if (targets.length === 0) return Promise.resolve([]);
    return this.lists.ask(targets, { simulated, only: null, budgetMs: LISTS_MS, ...more, run: runs + 1 });
  }
}

function factsOf({ records, spf_lookups, dnssec, unanswered }: ReturnType<typeof domainResult>) {
  return { records, spf_lookups, dnssec, unanswered };
}

/** The DMARC record that the next run proposes where this one has vanished; none that receivers cannot read. */
function seenDmarc({ facts: { dmarc }, findings }: ExaminedDomain): Pick<MonitorMemory, 'dmarc'> {
  const { foundAt: at, record } = dmarc;
  if (at === null || record === null || !STORABLE_RECORD.test(record)) return {};
  return findings.some(({ code }) => code === 'dmarc_syntax') ? {} : { dmarc: { at, record } };
}

/** That a selector of a mail service has no key is nothing, unless it had one. */
function isTheirs({ code, subject }: Pick<SeenFinding, 'code' | 'subject'>, { settings, memory }: Monitor): boolean {
  if (code !== 'dkim_key_gone') return true;
  return settings.dkimSelectors.includes(subject) || (memory.selectors ?? []).includes(subject);
}

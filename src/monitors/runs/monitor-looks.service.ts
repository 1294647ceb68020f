import { Injectable } from '@nestjs/common';
import { type AskedTarget, ListQuestions } from '../../blacklists/list-questions.service.js';
import { type CheckedDomain, DomainChecker } from '../../domains/domain-checker.service.js';
import { domainResult } from '../../domains/domain-result.js';
import type { Target } from '../../engine/blacklists/targets.js';
import { answeredAreas } from '../../engine/domain/answered-areas.js';
import type { FindingArea } from '../../engine/domain/finding.js';
import { readMailProviders } from '../../verify/ports/mail-providers-file.js';
import type { Look } from '../hysteresis/look.js';
import { settledFacts } from '../model/facts.js';
import type { Monitor } from '../model/monitor.js';
import type { MonitorArea } from '../model/monitor-area.js';
import type { MonitorFacts, SeenFinding } from '../model/monitor-run.js';
import { listTargets, NO_TARGETS } from './list-targets.js';
import { readListings } from './listings.js';
import { domainSets } from '../changes/domain-sets.js';
import { watchPresence } from '../changes/presence.js';
import { watchChanges } from '../changes/watch-changes.js';
import { paceOf } from '../hysteresis/pace.js';
import { afterDaily, askedAreas, askedSoon, withDaily } from './daily-areas.js';
import { afterSearch, askedSelectors } from './selectors.js';
import { domainAreas, watchedAreas } from './watch-areas.js';

const DOMAIN_MS = 20_000;
const LISTS_MS = 15_000;
/** A look is over by then, whoever is silent. */
export const MAX_LOOK_MS = DOMAIN_MS + LISTS_MS;
/** What looks by itself leaves the rest of a list's day to people, and what only receives leaves it to what sends. */
const SENDERS_SHARE = 0.8;
const RECEIVERS_SHARE = 0.6;

const NO_FACTS: MonitorFacts = { records: [], spf_lookups: null, dnssec: null, blacklists: [], unanswered: [] };

/** Looks at what a monitor watches. It keeps nothing, charges nobody and tells nobody. */
@Injectable()
export class MonitorLooks {
  readonly #providers = readMailProviders();

  constructor(
    private readonly domains: DomainChecker,
    private readonly lists: ListQuestions,
  ) {}

  /**
   * @param before the facts of the run before, which stand in for what nobody answers
   * @param asksAfresh everybody is asked, whatever is remembered of them
   */
  async look(monitor: Monitor, before: MonitorFacts | null, now: Date, asksAfresh: boolean): Promise<Look> {
    const watched = watchedAreas(monitor);
    const asksDomain = monitor.kind === 'domain' && domainAreas(watched).size > 0;
    const asked = askedSelectors(monitor.settings.dkimSelectors, monitor.memory, now);
    // Behind a test key nobody is asked.
    const areas = monitor.simulated || asksAfresh ? null : askedAreas(monitor.memory, now);
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
    const told = {
      findings: (result?.findings ?? []).filter((one) => isTheirs(one, monitor)),
      answered: checked === null ? new Set<FindingArea>() : answeredAreas(checked.facts),
    };
    const said = withDaily(told, monitor.memory, areas);
    const searched = asked.searchesKeys && checked !== null && monitor.settings.dkimSelectors.length === 0;
    const memory = searched && checked.isAnswered ? afterSearch(monitor.memory, checked.facts, now) : monitor.memory;
    const isDaily = areas === null && checked !== null && checked.isAnswered;
    const kept = isDaily ? afterDaily(memory, told, now) : memory;
    const changed = watchChanges(
      monitor.memory.changes ?? [],
      {
        sets: result && checked ? domainSets(checked, result) : [],
        areas: watched,
        selectors: asked.selectors.length === 0 ? null : new Set(asked.selectors),
      },
      { now, pace: paceOf(monitor.simulated) },
    );
    const there = watchPresence(monitor.memory.presence ?? {}, {
      domain: monitor.target,
      records: result?.records ?? [],
      answered: told.answered,
      selectors: asked.selectors,
    });
    return {
      answered: asksDomain ? checked!.isAnswered : listed.isAnswered,
      hasLearned: (asksDomain && checked!.isAnswered) || listed.hasLearned,
      facts: settledFacts(facts, before),
      findings: [...said.findings, ...changed.findings, ...there.findings, ...listed.findings],
      watchedAreas: watched,
      answeredAreas: new Set<MonitorArea>(said.answered),
      targets: new Set([...senders, ...receivers].map(({ value }) => value)),
      closedLists: listed.closed,
      takenBack: changed.takenBack,
      againMs: changed.againMs,
      memory: {
        ...(changed.asksRegistry ? askedSoon(kept) : kept),
        changes: changed.changes,
        presence: there.presence,
      },
    };
  }

  /** For lists alone the records matter as well: they name the senders. */
  private check(
    { target: domain, settings, simulated, runs }: Monitor,
    asked: { readonly selectors: readonly string[]; readonly searchesKeys: boolean },
    asksDomain: boolean,
    areas: readonly FindingArea[] | null,
  ): Promise<CheckedDomain> {
    const keys = asksDomain ? { ...asked, areas } : { selectors: [], searchesKeys: false, areas: [] };
    return this.domains.check(
      { domain, senders: settings.sendingAddresses, ...keys },
      { simulated, budgetMs: DOMAIN_MS, run: runs + 1 },
    );
  }

  private ask(
    { simulated, runs }: Monitor,
    targets: readonly Target[],
    more: { readonly share: number; readonly asksAfresh: boolean },
  ): Promise<readonly AskedTarget[]> {
    if (targets.length === 0) return Promise.resolve([]);
    return this.lists.ask(targets, { simulated, only: null, budgetMs: LISTS_MS, ...more, run: runs + 1 });
  }
}

function factsOf({ records, spf_lookups, dnssec, unanswered }: ReturnType<typeof domainResult>) {
  return { records, spf_lookups, dnssec, unanswered };
}

/** That a selector of a mail service has no key is nothing, unless it had one. */
function isTheirs({ code, subject }: Pick<SeenFinding, 'code' | 'subject'>, { settings, memory }: Monitor): boolean {
  if (code !== 'dkim_key_gone') return true;
  return settings.dkimSelectors.includes(subject) || (memory.selectors ?? []).includes(subject);
}

import { Inject, Injectable } from '@nestjs/common';
import { askList, type ListDns, type ListFinding, type OpenList } from '../../mail-dns/ask-list.js';
import type { Blacklist } from '../../mail-dns/blacklist-row.js';
import { knows } from '../../mail-dns/list-answer.js';
import { queriedTarget, type Target } from '../../mail-dns/targets.js';
import { withTimeLimit } from '../../lib/clock.js';
import { LruMap } from '../../lib/lru-map.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { keyOf, type ListHealth, ListHealthService } from './list-health.service.js';
import {
  type KnownList,
  type ListOff,
  DisabledBlacklists,
  BlacklistRegistry,
  type SkipReason,
} from './blacklist-registry.js';
import { ListBudgets } from './list-budgets.js';

/** What came of one list for one target. */
export type ListAnswer = {
  readonly list: Blacklist;
  /** Null when it was not asked. */
  readonly health: ListHealth | null;
} & (
  | { readonly asked: false; readonly why: SkipReason }
  | {
      readonly asked: true;
      /** What it was asked about: the target, or the domain that somebody has registered. */
      readonly askedName: string;
      /** Whether it is under suspicion: many targets turned up on it at once. */
      readonly isSuspect: boolean;
      readonly finding: ListFinding;
      readonly askedAt: Date;
      readonly answeredInMs: number;
      readonly isFromCache: boolean;
    }
);

export interface TargetAnswers {
  readonly target: Target;
  readonly answers: readonly ListAnswer[];
}

interface ListQuestion {
  readonly simulated: boolean;
  /** Only these lists; null: all. */
  readonly only: ReadonlySet<string> | null;
  readonly budgetMs: number;
  /** The share of a list's day that this may use up, with all that was asked before; all of it when left out. */
  readonly share?: number;
  /** Asks what is remembered too. */
  readonly asksAfresh?: boolean;
  /** In test mode: which look at the targets it is, from 1. */
  readonly run?: number;
}

interface CachedFinding {
  readonly finding: ListFinding;
  readonly askedAt: Date;
}

/** The same question within this time gets the same answer, unless the resolver is found to have lied when it gave it. */
const REMEMBERED_MS = 300_000;
const MAX_REMEMBERED = 20_000;
const SETTLED: readonly ListFinding['status'][] = ['listed', 'not_listed', 'unknown_code'];

/** Asks block lists about targets: each list that may be asked, works and has questions left. */
@Injectable()
export class ListQuestionsService {
  private readonly kept = new LruMap<string, CachedFinding>(MAX_REMEMBERED);

  constructor(
    private readonly world: BlacklistRegistry,
    private readonly healths: ListHealthService,
    private readonly budgets: ListBudgets,
    private readonly switches: DisabledBlacklists,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) private readonly timer: Timer,
  ) {}

  isKnown(id: string): boolean {
    return this.world.lists(true).some(({ list }) => list.id === id);
  }

  /** What is not answered when the time is over is `no_answer`. */
  ask(
    targets: readonly Target[],
    { simulated, only, budgetMs, share = 1, asksAfresh = false, run = 1 }: ListQuestion,
  ): Promise<readonly TargetAnswers[]> {
    return withTimeLimit(this.timer, budgetMs, async (over) => {
      const lists = withoutOff(this.world.lists(simulated), simulated ? new Map() : await this.switches.off());
      const open = lists.flatMap(({ list, access }) =>
        'open' in access && isSelected(list, only) ? [access.open] : [],
      );
      const relevant = open.filter(({ list }) => targets.some(({ kind }) => knows(list, kind)));
      const healths = await Promise.race([this.healths.current(relevant, simulated), over.then(() => null)]);
      const suspect = simulated ? new Set<string>() : await this.healths.suspect();
      const remembered = (list: Blacklist, target: Target) =>
        simulated || asksAfresh ? null : this.remembered(list, target);
      const exhausted = simulated ? new Set<string>() : await this.spend(relevant, targets, { share, remembered });
      const known = healths ?? new Map<string, ListHealth>();
      const askOne = (list: KnownList, target: Target) =>
        this.askOne(list, target, { simulated, only, run, exhausted, suspect, remembered, healths: known, over });
      return Promise.all(
        targets.map(async (target) => ({
          target,
          answers: await Promise.all(lists.map((one) => askOne(one, target))),
        })),
      );
    });
  }

  /** Takes the questions that no memory answers from the lists' days. */
  private spend(
    open: readonly OpenList[],
    targets: readonly Target[],
    { share, remembered }: { share: number; remembered: (list: Blacklist, target: Target) => CachedFinding | null },
  ): Promise<ReadonlySet<string>> {
    const wanted = new Map<Blacklist, number>();
    for (const { list } of open) {
      const questions = targets.filter(
        (target) => knows(list, target.kind) && remembered(list, queriedTarget(list, target)) === null,
      );
      if (questions.length > 0) wanted.set(list, questions.length);
    }
    return this.budgets.take(wanted, share);
  }

  private async askOne(
    { list, access }: KnownList,
    target: Target,
    context: {
      simulated: boolean;
      only: ReadonlySet<string> | null;
      run: number;
      exhausted: ReadonlySet<string>;
      suspect: ReadonlySet<string>;
      remembered: (list: Blacklist, target: Target) => CachedFinding | null;
      healths: ReadonlyMap<string, ListHealth>;
      over: Promise<void>;
    },
  ): Promise<ListAnswer> {
    const health = context.healths.get(keyOf(list.id, target.kind)) ?? null;
    if (!isSelected(list, context.only)) return { list, health, asked: false, why: 'not_wanted' };
    if (!knows(list, target.kind)) return { list, health, asked: false, why: 'unsupported_kind' };
    if ('refusal' in access) return { list, health, asked: false, why: access.refusal };
    // In test mode the whole name decides.
    const askedAbout = context.simulated ? target : queriedTarget(list, target);
    const about = { askedName: askedAbout.value, isSuspect: context.suspect.has(list.id) };
    const remembered = context.remembered(list, askedAbout);
    if (remembered !== null)
      return { list, health, asked: true, ...about, ...remembered, answeredInMs: 0, isFromCache: true };
    if (context.exhausted.has(list.id)) return { list, health, asked: false, why: 'budget' };
    const begun = performance.now();
    const askedAt = new Date(this.clock.now());
    const timedOut = context.over.then((): ListFinding => ({ status: 'no_answer', why: 'timeout' }));
    const finding = await Promise.race([
      this.find(access.open, askedAbout, health, this.world.dns(context.simulated, context.run)),
      timedOut,
    ]);
    if (!context.simulated && SETTLED.includes(finding.status))
      this.kept.set(nameOf(list, askedAbout), { finding, askedAt });
    const answeredInMs = Math.round(performance.now() - begun);
    return { list, health, asked: true, ...about, finding, askedAt, answeredInMs, isFromCache: false };
  }

  private find(
    open: OpenList,
    target: Target,
    health: ListHealth | null,
    dns: ListDns,
  ): Promise<ListFinding> | ListFinding {
    if (health === null) return { status: 'no_answer', why: 'timeout' };
    const why = health.why ?? 'unproven';
    // A list that does not know its own test points is not asked about anybody else.
    if (health.state === 'silent') return { status: 'no_answer', why };
    if (health.state !== 'healthy') return { status: health.state, codes: [], why };
    return askList(open, target, dns, true);
  }

  private remembered(list: Blacklist, target: Target): CachedFinding | null {
    const kept = this.kept.get(nameOf(list, target));
    const askedAt = kept?.askedAt.getTime() ?? -Infinity;
    if (this.clock.now() - askedAt >= REMEMBERED_MS || this.world.mayHaveLied(askedAt)) return null;
    return kept ?? null;
  }
}

function isSelected({ id }: Blacklist, only: ReadonlySet<string> | null): boolean {
  return only === null || only.has(id);
}

function nameOf({ id }: Blacklist, { value }: Target): string {
  return `${id} ${value}`;
}

/** What administrators have turned off is not asked, whatever its terms allow. */
function withoutOff(lists: readonly KnownList[], off: ReadonlyMap<string, ListOff>): readonly KnownList[] {
  return lists.map(({ list, access }) => ({ list, access: off.has(list.id) ? { refusal: 'turned_off' } : access }));
}

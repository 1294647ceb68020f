import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS, MINUTE_MS } from '../../lib/durations.js';
import type { NameRuns } from '../../engine/ports.js';
import { LruMap } from '../../lib/lru-map.js';
import { addToAuditLog } from '../../platform/audit/audit-log.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { counter } from '../../platform/metrics/metrics.js';
import { defineScript } from '../../platform/redis/lua-script.js';
import { REDIS, type RedisClient } from '../../platform/redis/redis.js';

/**
 * A run through invented names finds a few percent of them, and an old list of a company half of its rows. Of the first 400 rows of such a list
 * 200 do not exist, give or take 10, so that 300 are ten standard deviations away, and further away in longer lists. A list that begins with
 * 300 people who all have left is slowed down until its turns have found 100 who have not.
 */
const SUSPECTED_FROM = { notFound: 300, share: 3 / 4 } as const;
/** Whatever the share: no company loses as many people, and whoever mixes names that exist with invented ones is found by it. */
const NOT_FOUND_AT_MOST = 10_000;
/** Counts are kept by halves of a day: what was answered in the present half and in the one before it counts. */
const HALF_DAY_MS = DAY_MS / 2;
/** So many questions of an account that is suspected are asked at a domain within each ten minutes: one each six seconds on average. */
const TURNS = { most: 100, everyMs: 10 * MINUTE_MS } as const;
/** Names that do not exist are told to Redis by so many, so that most lists never ask it anything. */
const REPORTED_FROM = 20;
/** What is dropped in one process has named fewer than `REPORTED_FROM` that do not exist, or is suspected and is found again by as many. */
const MAX_RUNS = 20_000;
const OURSELVES = 'mailsonde';

const suspected = counter(
  'mailsonde_enumeration_suspected_total',
  'Accounts that Mailsonde slows down at a domain because they checked too many names there that do not exist, counted once a day for each account and domain.',
  [],
);

/**
 * KEYS: counts of this half day, those of the half before it, turns of these ten minutes. ARGV: answered and not found since the last time,
 * milliseconds that counts live, most turns (0: none is wanted), milliseconds that turns live. Returns answered and not found of both halves,
 * and whether a turn was taken.
 */
const COUNT_SCRIPT = `
if tonumber(ARGV[1]) > 0 then
  redis.call('HINCRBY', KEYS[1], 'answered', ARGV[1])
  redis.call('HINCRBY', KEYS[1], 'not_found', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
local answered, not_found = 0, 0
for i = 1, 2 do
  answered = answered + tonumber(redis.call('HGET', KEYS[i], 'answered') or 0)
  not_found = not_found + tonumber(redis.call('HGET', KEYS[i], 'not_found') or 0)
end
if tonumber(redis.call('GET', KEYS[3]) or 0) >= tonumber(ARGV[4]) then return { answered, not_found, 0 } end
redis.call('INCR', KEYS[3])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
return { answered, not_found, 1 }
`;

const countNames = defineScript<[answered: number, notFound: number, turn: number]>('countNames', 3, COUNT_SCRIPT);

/** What this process knows of an account at a domain. */
interface Run {
  readonly account: string;
  readonly domain: string;
  /** Since Redis was told last. */
  answered: number;
  notFound: number;
  /** No turn is left until then. */
  noTurnUntil: number;
}

/**
 * Slows accounts down that go through invented names of a domain, one after another. Redis has the counts of all processes. While it is away
 * nobody is suspected.
 */
@Injectable()
export class RedisNameRuns implements NameRuns {
  private readonly logger = new Logger(RedisNameRuns.name);
  private readonly runs = new LruMap<string, Run>(MAX_RUNS);
  /** The one of the last answer: a list asks about the names of one domain after each other. */
  private last: Run | null = null;
  /** Those of them that are suspected, by themselves: each question looks here, and mostly there is none. */
  private readonly suspects = new LruMap<string, true>(MAX_RUNS);

  constructor(
    @Inject(REDIS) private readonly redis: RedisClient,
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  isSuspected(account: string, domain: string): boolean {
    return this.suspects.size > 0 && this.suspects.get(keyOf(account, domain)) !== undefined;
  }

  async takeTurn(account: string, domain: string): Promise<number> {
    const run = this.runOf(account, domain);
    const now = this.clock.now();
    if (run.noTurnUntil > now) return run.noTurnUntil - now;
    const hasTurn = await this.ask(run, TURNS.most);
    if (hasTurn || !this.isSuspected(account, domain)) return 0;
    run.noTurnUntil = (Math.floor(now / TURNS.everyMs) + 1) * TURNS.everyMs;
    return run.noTurnUntil - now;
  }

  record(account: string, domain: string, isFound: boolean): void {
    const run = this.runOf(account, domain);
    run.answered += 1;
    if (isFound) return;
    run.notFound += 1;
    if (run.notFound >= REPORTED_FROM) void this.ask(run, 0);
  }

  private runOf(account: string, domain: string): Run {
    if (this.last?.domain === domain && this.last.account === account) return this.last;
    const key = keyOf(account, domain);
    let run = this.runs.get(key);
    if (run === undefined) {
      run = { account, domain, answered: 0, notFound: 0, noTurnUntil: 0 };
      this.runs.set(key, run);
    }
    this.last = run;
    return run;
  }

  /** Tells Redis what it does not know yet, and learns whether the account is suspected. @returns whether it has got a turn */
  private async ask(run: Run, mostTurns: number): Promise<boolean> {
    const { account, domain, answered, notFound } = run;
    const now = this.clock.now();
    const half = Math.floor(now / HALF_DAY_MS);
    const name = `{name-run:${account}:${domain}}`;
    run.answered = run.notFound = 0;
    try {
      const [allAnswered, allNotFound, turn] = await countNames(
        this.redis,
        `${name}:${half}`,
        `${name}:${half - 1}`,
        `${name}:turns:${Math.floor(now / TURNS.everyMs)}`,
        answered,
        notFound,
        2 * HALF_DAY_MS,
        mostTurns,
        TURNS.everyMs,
      );
      const { notFound: floor, share } = SUSPECTED_FROM;
      const wasSuspected = this.isSuspected(account, domain);
      const isSuspected =
        allNotFound > NOT_FOUND_AT_MOST || (allNotFound >= floor && allNotFound > share * allAnswered);
      if (isSuspected) this.suspects.set(keyOf(account, domain), true);
      else this.suspects.delete(keyOf(account, domain));
      if (isSuspected && !wasSuspected) await this.tellOnceADay(run, allAnswered, allNotFound, name);
      return turn === 1;
    } catch (error) {
      this.logger.warn(`names that do not exist were not counted: ${(error as Error).message}`);
      this.suspects.delete(keyOf(account, domain));
      return false;
    }
  }

  private async tellOnceADay(
    { account, domain }: Run,
    answered: number,
    notFound: number,
    name: string,
  ): Promise<void> {
    if ((await this.redis.set(`${name}:told`, '1', 'PX', DAY_MS, 'NX')) === null) return;
    suspected.inc({});
    this.logger.warn(
      `account ${account} goes through names of ${domain}: ${notFound} of ${answered} do not exist, so it is asked slowly there`,
    );
    const who = { actorId: null, actor: OURSELVES, origin: OURSELVES, keyId: null };
    const at = this.clock.date();
    const details = { domain, answered, not_found: notFound };
    const entry = { at, ...who, accountId: account, simulated: false, action: 'enumeration.suspect', details };
    // Whoever is slowed down reads it in each answer too.
    await addToAuditLog(this.database.manager, entry).catch((error: Error) =>
      this.logger.warn(`the audit log has no line for it: ${error.message}`),
    );
  }
}

function keyOf(account: string, domain: string): string {
  return `${account} ${domain}`;
}

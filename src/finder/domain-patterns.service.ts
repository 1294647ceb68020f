import { hash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { FinderData } from '../engine/finder/finder-data.js';
import type { Verification } from '../engine/types.js';
import { VerifiedNews } from '../verify/verified-news.js';
import { DomainPatternsStore, type PatternCount } from './domain-patterns.store.js';
import { FINDER_DATA } from './finder-data.provider.js';
import { createPatternReader } from './pattern-reader.js';

const WRITE_EVERY_MS = 5_000;
/** Rows of one statement, and what is kept while the database is away. */
const MOST_WAITING = 5_000;
/** Addresses that are not counted again, by a part of their hash: a day's repeated checks of one address teach once. */
const MOST_REMEMBERED = 50_000;
const REMEMBERED_MS = 86_400_000;

/**
 * What patterns a domain's addresses have: learned from what the finder finds and from every verified address whose local part tells
 * its pattern by itself. Written now and then, so that no verification waits for it; what a dying process loses is learned again.
 */
@Injectable()
export class DomainPatternsService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(DomainPatternsService.name);
  private readonly patternOf: (localPart: string) => string | null;
  private readonly heard = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });
  private waiting = new Map<string, PatternCount>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: DomainPatternsStore,
    private readonly news: VerifiedNews,
    @Inject(FINDER_DATA) data: FinderData,
  ) {
    this.patternOf = createPatternReader(data);
  }

  onModuleInit(): void {
    this.news.listen((verification) => this.hear(verification));
    this.timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  /** How often each pattern was seen at a domain. */
  async seenAt(domain: string): Promise<ReadonlyMap<string, number>> {
    const seen = await this.store.find(domain);
    for (const { domain: own, pattern, addresses } of this.waiting.values())
      if (own === domain) seen.set(pattern, (seen.get(pattern) ?? 0) + addresses);
    return seen;
  }

  /** An address of this pattern exists. */
  learn(address: string, domain: string, pattern: string): void {
    const mark = hash('sha256', address, 'base64').slice(0, 12);
    if (this.heard.has(mark) || this.waiting.size >= MOST_WAITING) return;
    this.heard.set(mark, true);
    const key = `${domain} ${pattern}`;
    const addresses = (this.waiting.get(key)?.addresses ?? 0) + 1;
    this.waiting.set(key, { domain, pattern, addresses });
  }

  /** Writes what was learned since the last time. */
  async write(): Promise<void> {
    if (this.waiting.size === 0) return;
    const learned = this.waiting;
    this.waiting = new Map();
    try {
      await this.store.add([...learned.values()]);
    } catch (error) {
      this.logger.warn(`what was learned of patterns is lost: ${(error as Error).message}`);
    }
  }

  private hear({ verdict, normalizedEmail, checks }: Verification): void {
    if (verdict !== 'valid' || normalizedEmail === null || checks.free || checks.privacyRelay) return;
    // Where it is not known whether every name is accepted, existence teaches nothing.
    if (checks.catchAll !== 'no') return;
    const at = normalizedEmail.lastIndexOf('@');
    const pattern = this.patternOf(normalizedEmail.slice(0, at));
    if (pattern !== null) this.learn(normalizedEmail, normalizedEmail.slice(at + 1), pattern);
  }
}

import { hash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../lib/durations.js';
import type { FinderData } from '../engine/finder/finder-data.js';
import type { Verification } from '../engine/types.js';
import { VerificationEvents } from '../verify/engine.provider.js';
import { DomainPattern } from './domain-pattern.entity.js';
import { FINDER_DATA } from './finder-data.provider.js';
import { createPatternReader } from './pattern-reader.js';

export type { DomainPattern };

function keyOf({ domain, pattern }: DomainPattern): string {
  return `${domain} ${pattern}`;
}

const WRITE_EVERY_MS = 5_000;
/** The most rows of one statement, and the most that wait while the database is away. */
const MAX_WAITING = 5_000;
/** Addresses that count once a day however often they are verified, by a part of their hash. */
const MAX_REMEMBERED = 50_000;
const REMEMBERED_MS = DAY_MS;

/**
 * Learns the patterns of a domain's addresses: from what the finder finds, and from every verified address whose local part shows its
 * pattern by itself. Writes them every few seconds, so that no verification waits; patterns that a killed process loses are learned again.
 */
@Injectable()
export class DomainPatternsService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(DomainPatternsService.name);
  private readonly patternOf: (localPart: string) => string | null;
  /** Made for the first address: the cache takes the room of all its entries at once, which a start need not wait for. */
  private remembered: LRUCache<string, true> | undefined;
  private waiting = new Map<string, DomainPattern>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly events: VerificationEvents,
    @Inject(FINDER_DATA) data: FinderData,
  ) {
    this.patternOf = createPatternReader(data);
  }

  onModuleInit(): void {
    this.events.listen((verification) => this.learnFrom(verification));
    this.timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  /** How often each pattern was seen at a domain. */
  async seenAt(domain: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.manager.findBy(DomainPattern, { domain });
    const seen = new Map(rows.map(({ pattern, addresses }) => [pattern, addresses]));
    for (const { domain: own, pattern, addresses } of this.waiting.values())
      if (own === domain) seen.set(pattern, (seen.get(pattern) ?? 0) + addresses);
    return seen;
  }

  /** An address of this pattern exists. */
  learn(address: string, domain: string, pattern: string): void {
    const mark = hash('sha256', address, 'base64').slice(0, 12);
    this.remembered ??= new LRUCache({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
    if (this.remembered.has(mark) || this.waiting.size >= MAX_WAITING) return;
    this.remembered.set(mark, true);
    const key = `${domain} ${pattern}`;
    const addresses = (this.waiting.get(key)?.addresses ?? 0) + 1;
    this.waiting.set(key, { domain, pattern, addresses });
  }

  /** Writes the patterns learned since the last write. */
  async write(): Promise<void> {
    if (this.waiting.size === 0) return;
    const learned = this.waiting;
    this.waiting = new Map();
    try {
      await this.add([...learned.values()]);
    } catch (error) {
      this.logger.warn(`what was learned of patterns is lost: ${(error as Error).message}`);
    }
  }

  private learnFrom({ verdict, normalizedEmail, checks }: Verification): void {
    if (verdict !== 'valid' || normalizedEmail === null || checks.free || checks.privacyRelay) return;
    // A domain that may accept every name says nothing about which names exist.
    if (checks.catchAll !== 'no') return;
    const at = normalizedEmail.lastIndexOf('@');
    const pattern = this.patternOf(normalizedEmail.slice(0, at));
    if (pattern !== null) this.learn(normalizedEmail, normalizedEmail.slice(at + 1), pattern);
  }

  /** @param counts each domain and pattern once */
  private async add(counts: readonly DomainPattern[]): Promise<void> {
    // The rows are in one order everywhere, so that two processes do not wait for each other's rows.
    const sorted = counts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    await this.database.query(
      `INSERT INTO domain_patterns (domain, pattern, addresses)
       SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
       ON CONFLICT (domain, pattern) DO UPDATE SET addresses = domain_patterns.addresses + excluded.addresses`,
      [sorted.map(({ domain }) => domain), sorted.map(({ pattern }) => pattern), sorted.map((row) => row.addresses)],
    );
  }
}

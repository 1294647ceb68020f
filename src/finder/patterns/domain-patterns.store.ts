import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainPattern } from './domain-pattern.entity.js';

export type { DomainPattern };

/** How often each pattern was seen at a domain. */
@Injectable()
export class DomainPatternsStore {
  constructor(private readonly database: DataSource) {}

  async find(domain: string): Promise<Map<string, number>> {
    const rows = await this.database.manager.findBy(DomainPattern, { domain });
    return new Map(rows.map(({ pattern, addresses }) => [pattern, addresses]));
  }

  /** @param counts each domain and pattern once */
  async add(counts: readonly DomainPattern[]): Promise<void> {
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

function keyOf({ domain, pattern }: DomainPattern): string {
  return `${domain} ${pattern}`;
}

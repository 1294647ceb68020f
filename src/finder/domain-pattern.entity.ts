import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('domain_patterns', { comment: 'how a company makes addresses of names: counts, never an address' })
@Check('domain_patterns_addresses_check', 'addresses > 0')
export class DomainPattern {
  @PrimaryColumn({ type: 'text' })
  readonly domain: string;

  @PrimaryColumn({ type: 'text', comment: 'such as {first}.{last}' })
  readonly pattern: string;

  @Column({ type: 'bigint' })
  readonly addresses: number;
}

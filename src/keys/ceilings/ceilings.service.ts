import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CeilingRow } from './ceilings.js';
import { KeyCeilingStore } from './key-ceiling.store.js';

/** Ceilings as they stand; the statements of `credits/` that reserve and settle count on them and decide by them. */
@Injectable()
export class CeilingsService {
  constructor(private readonly store: KeyCeilingStore) {}

  /** Null when there is none, or it was taken away. */
  async find(id: string | null, tx?: EntityManager): Promise<CeilingRow | null> {
    if (id === null) return null;
    const [found] = await this.store.findAll([id], tx);
    return found ?? null;
  }
}

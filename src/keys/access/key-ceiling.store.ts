import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { type CeilingsInput, limitsOf } from '../scope/ceilings.js';
import { KeyCeiling } from '../scope/key-ceiling.entity.js';

/** The limits of ceilings; what is used of them is counted by the statements that reserve and settle credits. */
@Injectable()
export class KeyCeilingStore {
  constructor(private readonly database: DataSource) {}

  async insert(tx: EntityManager, asked: CeilingsInput): Promise<KeyCeiling> {
    const limits = { creditsPerDay: null, creditsPerMonth: null, creditsTotal: null, ...limitsOf(asked) };
    const unused = { usedDate: null, usedDay: 0, usedMonth: 0, usedTotal: 0 };
    const { identifiers } = await tx.insert(KeyCeiling, limits);
    return { id: identifiers[0]!['id'] as string, ...limits, ...unused };
  }

  /** Limits that are not named stay; a reservation that comes after this goes by them. */
  async setLimits(tx: EntityManager, id: string, asked: CeilingsInput): Promise<KeyCeiling> {
    await tx.update(KeyCeiling, { id }, limitsOf(asked));
    return tx.findOneByOrFail(KeyCeiling, { id });
  }

  /** Those that exist, in no order. */
  findAll(ids: readonly string[], tx: EntityManager = this.database.manager): Promise<KeyCeiling[]> {
    return ids.length === 0 ? Promise.resolve([]) : tx.findBy(KeyCeiling, { id: In(ids) });
  }
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** A reservation in two parts, with what is left of each. */
export interface SplitReservation {
  readonly freeCredits: number;
  readonly paidPartId: string;
}

@Injectable()
export class SplitReservationsStore {
  /** Locks the free part, so that two who charge of it take turns. Null when it has ended. */
  async lock(tx: EntityManager, freePartId: string): Promise<SplitReservation | null> {
    const rows: SplitReservation[] = await tx.query(
      `SELECT amount AS "freeCredits", paid_part_id AS "paidPartId" FROM credit_reservations
        WHERE id = $1 AND paid_part_id IS NOT NULL FOR UPDATE`,
      [freePartId],
    );
    return rows[0] ?? null;
  }
}

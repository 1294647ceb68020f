import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Placement } from '../placement-test.js';
import type { EvidenceHeader, SeedAuthentication } from './mail-headers.js';
import type { MatchedBy } from './match-mails.js';

/** What a look has found of a test. */
export interface Arrival {
  readonly placement: Extract<Placement, 'inbox' | 'tab' | 'spam' | 'other_folder'>;
  readonly tab: string | null;
  readonly matchedBy: MatchedBy;
  readonly arrivedAt: Date;
  readonly authentication: SeedAuthentication | null;
  readonly evidence: readonly EvidenceHeader[];
}

/** A test that a seed is to be looked at for. */
export interface DueTest {
  readonly testId: number;
  readonly accountId: string;
  readonly token: string;
  readonly createdAt: Date;
  readonly firstArrivalAt: Date | null;
  readonly settleMinutes: number;
  readonly looks: number;
  readonly baseAt: Date | null;
  /** No other test of the account waits, in this mode. */
  readonly isAlone: boolean;
}

/** What is known of a test at one seed. */
export interface KnownArrival {
  readonly provider: string;
  readonly address: string;
  readonly state: 'on' | 'off';
  readonly placement: Arrival['placement'] | null;
  readonly tab: string | null;
  readonly matchedBy: MatchedBy | null;
  readonly arrivedAt: Date | null;
  readonly authentication: SeedAuthentication | null;
  readonly lookedAt: Date | null;
  readonly fault: string | null;
}

/** Tests that one look at a mailbox is for; those behind them come with the next. */
const TESTS_PAGE_SIZE = 50;

@Injectable()
export class ArrivalsStore {
  constructor(private readonly database: DataSource) {}

  async insert(tx: EntityManager, testId: number, seedIds: readonly string[], dueAt: Date): Promise<void> {
    await tx.query(
      `INSERT INTO placement_arrivals (test_id, seed_id, due_at)
       SELECT $1, seed_id, $3 FROM unnest($2::uuid[]) AS seed_id`,
      [testId, seedIds, dueAt],
    );
  }

  /** Whatever waits at a seed, whether its time has come or not: one login serves all of them. */
  waiting(seedId: string): Promise<DueTest[]> {
    return this.database.query(
      `SELECT t.id AS "testId", t.account_id AS "accountId", t.token, t.created_at AS "createdAt", t.first_arrival_at AS "firstArrivalAt",
              t.settle_minutes AS "settleMinutes", a.looks, a.base_at AS "baseAt",
              NOT EXISTS (SELECT 1 FROM placement_tests AS other
                           WHERE other.account_id = t.account_id AND other.simulated = t.simulated AND other.due_at IS NOT NULL
                             AND other.world IS NULL AND other.id <> t.id) AS "isAlone"
         FROM placement_arrivals AS a JOIN placement_tests AS t ON t.id = a.test_id
        WHERE a.seed_id = $1 AND a.due_at IS NOT NULL AND t.due_at IS NOT NULL
        ORDER BY a.due_at, t.id LIMIT ${TESTS_PAGE_SIZE}`,
      [seedId],
    );
  }

  /** The mail was found. What was found first stays. */
  async found(tx: EntityManager, testId: number, seedId: string, arrival: Arrival, at: Date): Promise<void> {
    await tx.query(
      `UPDATE placement_arrivals
          SET placement = $3, tab = $4, matched_by = $5, arrived_at = $6, authentication = $7, evidence = $8, looks = looks + 1,
              looked_at = $9, fault = NULL, due_at = NULL
        WHERE test_id = $1 AND seed_id = $2 AND placement IS NULL`,
      [
        testId,
        seedId,
        arrival.placement,
        arrival.tab,
        arrival.matchedBy,
        arrival.arrivedAt,
        arrival.authentication && JSON.stringify(arrival.authentication),
        JSON.stringify(arrival.evidence),
        at,
      ],
    );
  }

  /** The mailbox was read without finding it, or (`fault`) not read. */
  async notFound(tx: EntityManager, testId: number, seedId: string, look: NotFound): Promise<void> {
    await tx.query(
      `UPDATE placement_arrivals
          SET looks = $3, base_at = $4, looked_at = CASE WHEN $5::text IS NULL THEN $6 ELSE looked_at END, fault = $5, due_at = $7
        WHERE test_id = $1 AND seed_id = $2 AND placement IS NULL`,
      [testId, seedId, look.looks, look.baseAt, look.fault, look.at, look.dueAt],
    );
  }

  /**
   * A mail of the test has come to a seed: a test that waited receives from now on, and its own clock begins. Its worker looks at it at
   * once, since it may have been the last seed.
   */
  async arrived(tx: EntityManager, testId: number, arrivedAt: Date, at: Date): Promise<void> {
    await tx.query(
      `UPDATE placement_tests
          SET state = 'receiving', due_at = least(due_at, $3),
              first_arrival_at = coalesce(first_arrival_at, least(greatest($2::timestamptz, created_at), $3::timestamptz))
        WHERE id = $1 AND state IN ('waiting', 'receiving')`,
      [testId, arrivedAt, at],
    );
  }

  /** By provider and address. */
  of(testId: number): Promise<KnownArrival[]> {
    return this.database.query(
      `SELECT s.provider, s.address, s.state, a.placement, a.tab, a.matched_by AS "matchedBy", a.arrived_at AS "arrivedAt",
              a.authentication, a.looked_at AS "lookedAt", a.fault
         FROM placement_arrivals AS a JOIN placement_seeds AS s ON s.id = a.seed_id
        WHERE a.test_id = $1 ORDER BY s.provider, s.address`,
      [testId],
    );
  }
}

interface NotFound {
  readonly looks: number;
  readonly baseAt: Date | null;
  readonly at: Date;
  readonly fault: string | null;
  readonly dueAt: Date | null;
}

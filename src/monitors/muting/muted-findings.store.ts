import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FINDING_COLUMNS, selected } from '../model/monitor-columns.js';
import type { MonitorFinding } from '../model/monitor-finding.js';
import type { Mute } from './mute.js';

const FINDING = selected(FINDING_COLUMNS, 'finding');

/** Findings whose mutes are changed; a block list's mute is one of its monitor's settings. */
@Injectable()
export class MutedFindingsStore {
  /** @returns null: the monitor has no such finding */
  async lock(tx: EntityManager, monitorId: number, id: number): Promise<MonitorFinding | null> {
    const rows: MonitorFinding[] = await tx.query(
      `SELECT ${FINDING} FROM monitor_findings AS finding WHERE monitor_id = $1 AND id = $2 FOR UPDATE`,
      [monitorId, id],
    );
    return rows[0] ?? null;
  }

  async mute(tx: EntityManager, id: number, { until, note }: Mute): Promise<void> {
    await tx.query('UPDATE monitor_findings SET muted_until = $2, note = $3 WHERE id = $1', [id, until, note]);
  }
}

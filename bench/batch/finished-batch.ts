import type pg from 'pg';

import { ResultEncoder } from '../../src/batch/model/result-codec.js';
import type { ChunkResult } from '../../src/batch/model/chunk-result.js';
import { exists, HOSTS } from './workload.js';

/** Stores what workers find out against the sinks, without asking them, and ends the batch. No credit is moved. */
export async function finishBatch(database: pg.Client, id: number): Promise<void> {
  const { rows } = await database.query<{ number: number }>('SELECT number FROM batch_chunks WHERE batch_id = $1', [
    id,
  ]);
  for (const { number } of rows) {
    const chunk = await database.query<{ items: string }>(
      'UPDATE batch_chunks SET done = true WHERE batch_id = $1 AND number = $2 RETURNING items',
      [id, number],
    );
    const encoder = new ResultEncoder();
    for (const [offset, email] of (JSON.parse(chunk.rows[0]!.items) as string[]).entries())
      encoder.add(answerOf(offset, email));
    await database.query('INSERT INTO batch_results (batch_id, chunk, pass, results) VALUES ($1, $2, 0, $3)', [
      id,
      number,
      encoder.toString(),
    ]);
  }
  await database.query(
    `UPDATE batches SET state = 'completed', open_chunks = 0, valid = total_rows, started_at = now(), finished_at = now()
      WHERE id = $1`,
    [id],
  );
}

export function answerOf(offset: number, email: string): ChunkResult {
  const found = exists(email);
  const domain = Number(/@d(\d+)/.exec(email)![1]);
  const mxHost = `mx${domain % HOSTS}.example.net`;
  const now = Date.now();
  return {
    offset,
    creditsCharged: 1,
    latencyMs: 1_000 + (offset % 5_000),
    verification: {
      email,
      normalizedEmail: email,
      verdict: found ? 'valid' : 'invalid',
      reason: found ? 'mailbox_exists' : 'mailbox_not_found',
      score: found ? 95 : 3,
      confidence: found ? 0.95 : 0.97,
      checks: {
        syntax: 'pass',
        mx: 'pass',
        smtp: found ? 'pass' : 'fail',
        catchAll: 'no',
        disposable: false,
        role: false,
        free: false,
        spamTrap: false,
        privacyRelay: false,
      },
      didYouMean: null,
      provider: null,
      mxHost,
      retryAfterSeconds: null,
      evidence: {
        stage: 'rcpt',
        mxHost,
        mxAddress: `127.0.0.${1 + (domain % 8)}`,
        code: found ? 250 : 550,
        enhanced: found ? '2.1.5' : '5.1.1',
        text: found ? 'Ok' : 'User unknown in virtual mailbox table',
        at: now,
        fromCache: false,
        witness: null,
        source: 'default',
      },
      checkedAt: now,
    },
  };
}

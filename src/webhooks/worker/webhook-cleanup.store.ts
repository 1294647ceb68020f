import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Deletes expired rows, some at a time. */
@Injectable()
export class WebhookCleanupStore {
  constructor(private readonly database: DataSource) {}

  /** Their deliveries and attempts go with them. @returns how many */
  async deleteEvents(before: Date, limit: number): Promise<number> {
    const [, deleted]: [unknown, number] = await this.database.query(
      `DELETE FROM webhook_events WHERE id = ANY (ARRAY(
         SELECT id FROM webhook_events WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
    return deleted;
  }

  /** Endpoints that batches created, once no batch names them and no delivery refers to them. @returns how many */
  async deleteEndpointsOfBatches(before: Date, limit: number): Promise<number> {
    const [, deleted]: [unknown, number] = await this.database.query(
      `DELETE FROM webhook_endpoints WHERE id = ANY (ARRAY(
         SELECT id FROM webhook_endpoints e
          WHERE created_via = 'batch' AND created_at < $1
            AND NOT EXISTS (SELECT FROM batches b WHERE b.account_id = e.account_id AND b.webhook_url = e.url)
            AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id)
          LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
    return deleted;
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What is deleted when its time is over. */
@Injectable()
export class WebhookUpkeepStore {
  constructor(private readonly database: DataSource) {}

  /** With their deliveries and attempts. @returns how many */
  async deleteEvents(before: Date, limit: number): Promise<number> {
    const [, deleted]: [unknown, number] = await this.database.query(
      `DELETE FROM webhook_events WHERE id IN (
         SELECT id FROM webhook_events WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [before, limit],
    );
    return deleted;
  }

  /** Endpoints that batches made, once no batch names them and nothing is told of them any more. @returns how many */
  async deleteEndpointsOfBatches(before: Date, limit: number): Promise<number> {
    const [, deleted]: [unknown, number] = await this.database.query(
      `DELETE FROM webhook_endpoints WHERE id IN (
         SELECT id FROM webhook_endpoints e
          WHERE made_by = 'batch' AND created_at < $1
            AND NOT EXISTS (SELECT FROM batches b WHERE b.account_id = e.account_id AND b.webhook_url = e.url)
            AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id)
          LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [before, limit],
    );
    return deleted;
  }
}

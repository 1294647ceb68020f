import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateWebhooks1795400240000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_events (
        id         uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated  boolean NOT NULL,
        type       text NOT NULL,
        created_at timestamptz NOT NULL,
        batch_id   bigint,
        data       text NOT NULL,
        sample     boolean NOT NULL DEFAULT false
      );
      CREATE INDEX webhook_events_by_time ON webhook_events (created_at);
      CREATE INDEX webhook_events_by_account ON webhook_events (account_id);
      COMMENT ON TABLE webhook_events IS 'the outbox: written in the transaction that causes the event';
      COMMENT ON COLUMN webhook_events.id IS 'the webhook-id of every delivery, each attempt of it';
      COMMENT ON COLUMN webhook_events.batch_id IS 'no foreign key: the event stays when the batch is deleted';
      COMMENT ON COLUMN webhook_events.data IS 'JSON, without addresses';
      COMMENT ON COLUMN webhook_events.sample IS 'an example that a customer asked for: nothing has happened';

      CREATE TABLE webhook_bodies (
        event_id    uuid NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
        max_results integer NOT NULL,
        batch_id    bigint NOT NULL REFERENCES batches ON DELETE CASCADE,
        body        text NOT NULL,
        PRIMARY KEY (event_id, max_results)
      );
      CREATE INDEX webhook_bodies_by_batch ON webhook_bodies (batch_id);
      COMMENT ON TABLE webhook_bodies IS 'bodies with addresses, deleted with their batch';
      COMMENT ON COLUMN webhook_bodies.max_results IS 'include_results of the endpoints that get this body';

      CREATE TABLE webhook_endpoints (
        id                         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        account_id                 uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated                  boolean NOT NULL,
        url                        text NOT NULL,
        events                     text[] NOT NULL,
        created_via                text NOT NULL CHECK (created_via IN ('api', 'batch')),
        created_at                 timestamptz NOT NULL,
        include_results            integer NOT NULL DEFAULT 1000 CHECK (include_results BETWEEN 0 AND 1000),
        confirmed_at               timestamptz,
        enabled                    boolean NOT NULL DEFAULT true,
        disabled_reason            text CHECK (disabled_reason IN ('owner', 'gone', 'failing')),
        disabled_at                timestamptz,
        secret                     bytea NOT NULL,
        previous_secret            bytea,
        previous_secret_expires_at timestamptz,
        last_success_at            timestamptz,
        failing_since              timestamptz,
        paused_until               timestamptz,
        lane                       text NOT NULL DEFAULT 'quick' CHECK (lane IN ('quick', 'slow')),
        lease_owner                uuid,
        lease_expires_at           timestamptz,
        UNIQUE (account_id, simulated, url),
        CHECK (enabled = (disabled_reason IS NULL) AND enabled = (disabled_at IS NULL)),
        CHECK ((previous_secret IS NULL) = (previous_secret_expires_at IS NULL))
      );
      CREATE INDEX webhook_endpoints_listing ON webhook_endpoints (account_id, simulated, created_at, id);
      COMMENT ON COLUMN webhook_endpoints.simulated IS 'registered by a test key: gets the events of test keys only';
      COMMENT ON COLUMN webhook_endpoints.created_via IS 'batch: the webhook_url of a batch, which gets the events of the batches that name it';
      COMMENT ON COLUMN webhook_endpoints.include_results IS 'so many rows of results a body carries at most';
      COMMENT ON COLUMN webhook_endpoints.confirmed_at IS 'first 2xx from the present url; null: it is sent no results';
      COMMENT ON COLUMN webhook_endpoints.secret IS 'sealed with SECRETS_KEY; signing needs it in clear';
      COMMENT ON COLUMN webhook_endpoints.failing_since IS 'first failure after the last success';
      COMMENT ON COLUMN webhook_endpoints.paused_until IS 'by Retry-After, or by the rate limit of its host';
      COMMENT ON COLUMN webhook_endpoints.lane IS 'slow: its last attempt failed or took long, so it shares few permits with others like it and quick endpoints never wait for it';
      COMMENT ON COLUMN webhook_endpoints.lease_owner IS 'the worker that delivers; one at a time, so that deliveries keep their order';

      CREATE TABLE webhook_deliveries (
        id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        number        bigint GENERATED ALWAYS AS IDENTITY,
        endpoint_id   uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
        event_id      uuid NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
        state         text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'succeeded', 'failed')),
        attempts      integer NOT NULL DEFAULT 0,
        schedule_step integer NOT NULL DEFAULT 0,
        due_at        timestamptz NOT NULL,
        created_at    timestamptz NOT NULL,
        finished_at   timestamptz,
        UNIQUE (event_id, endpoint_id),
        CHECK ((finished_at IS NULL) = (state = 'pending'))
      );
      CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (endpoint_id, due_at, number) WHERE state = 'pending';
      CREATE INDEX webhook_deliveries_listing ON webhook_deliveries (endpoint_id, created_at, id);
      COMMENT ON COLUMN webhook_deliveries.number IS 'order of creation where times are equal';
      COMMENT ON COLUMN webhook_deliveries.schedule_step IS 'attempts of the present schedule; a redelivery restarts it';

      CREATE TABLE webhook_attempts (
        delivery_id uuid NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
        number      integer NOT NULL,
        at          timestamptz NOT NULL,
        status      smallint,
        error       text,
        latency_ms  integer NOT NULL,
        reply       text NOT NULL,
        request_headers jsonb,
        request_bytes   integer,
        request_body    text,
        PRIMARY KEY (delivery_id, number),
        CHECK ((request_headers IS NULL) = (request_bytes IS NULL))
      );
      COMMENT ON COLUMN webhook_attempts.error IS 'why there is no status, such as timeout';
      COMMENT ON COLUMN webhook_attempts.reply IS 'the first 1 KiB of the response body';
      COMMENT ON COLUMN webhook_attempts.request_headers IS 'as they were sent, the signature masked; null: none could be made';
      COMMENT ON COLUMN webhook_attempts.request_bytes IS 'length of the body that was sent';
      COMMENT ON COLUMN webhook_attempts.request_body IS 'its first 4,096 characters; null for one with results, which webhook_bodies holds as long as its batch is kept';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE webhook_attempts, webhook_deliveries, webhook_endpoints, webhook_bodies, webhook_events',
    );
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateBatch1795400180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // EXTERNAL: compressing the long columns of every list that comes in costs PostgreSQL more than the bytes are worth.
    await runner.query(`
      CREATE TABLE batches (
        id               bigint PRIMARY KEY CHECK (id > 0 AND id < 9007199254740992),
        account_id       uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        key_id           uuid NOT NULL,
        policy           text NOT NULL,
        simulated        boolean NOT NULL,
        kind             text NOT NULL DEFAULT 'verify' CHECK (kind IN ('verify', 'find')),
        state            text NOT NULL
          CHECK (state IN ('receiving', 'held', 'queued', 'processing', 'completed', 'failed', 'cancelled')),
        list_id          bigint REFERENCES batches ON DELETE SET NULL,
        name             text,
        webhook_url      text,
        columns          text,
        retention_days   integer CHECK (retention_days IS NOT NULL OR state = 'receiving'),
        retry_window_seconds integer,
        total_rows       integer NOT NULL DEFAULT 0,
        unique_addresses integer NOT NULL DEFAULT 0,
        malformed        integer,
        open_chunks      integer NOT NULL DEFAULT 0 CHECK (open_chunks >= 0),
        valid            integer NOT NULL DEFAULT 0,
        invalid          integer NOT NULL DEFAULT 0,
        risky            integer NOT NULL DEFAULT 0,
        unknown          integer NOT NULL DEFAULT 0,
        reservation_id   uuid,
        credit_source    text,
        credits_reserved integer NOT NULL DEFAULT 0,
        credits_charged  integer NOT NULL DEFAULT 0,
        reused           integer NOT NULL DEFAULT 0,
        kept_from        integer DEFAULT 0,
        erasures         integer NOT NULL DEFAULT 0,
        is_ordered       boolean NOT NULL DEFAULT false,
        trace_id         text,
        created_at       timestamptz NOT NULL,
        started_at       timestamptz,
        finished_at      timestamptz,
        expires_at       timestamptz,
        CHECK (valid + invalid + risky + unknown <= total_rows),
        CHECK ((finished_at IS NULL) = (state IN ('receiving', 'held', 'queued', 'processing')))
      );
      CREATE INDEX batches_listing ON batches (account_id, simulated, kind, created_at, id) WHERE state <> 'receiving';
      CREATE INDEX batches_unfinished ON batches (created_at) WHERE finished_at IS NULL;
      CREATE INDEX batches_versions ON batches (list_id, finished_at) WHERE list_id IS NOT NULL;
      CREATE INDEX batches_held ON batches (account_id, simulated) WHERE state = 'held';
      CREATE INDEX batches_large ON batches (finished_at)
        WHERE finished_at IS NOT NULL AND kind = 'verify' AND total_rows >= 10000;
      CREATE INDEX batches_expiring ON batches (expires_at);
      CREATE INDEX batches_by_webhook_url ON batches (account_id, webhook_url) WHERE webhook_url IS NOT NULL;
      COMMENT ON COLUMN batches.id IS 'the day on which it was made, and a random number, which does not reveal how many batches there are: the partitions of rows, chunks and results are ranges of it';
      COMMENT ON COLUMN batches.kind IS 'verify: the items are addresses; find: people, written as JSON of the name and @domain';
      COMMENT ON COLUMN batches.state IS 'receiving: the upload is under way, and no caller sees the batch; held: it waits for the order of its owner, without a reservation';
      COMMENT ON COLUMN batches.trace_id IS 'of the request that made it (W3C trace context): logs and webhooks name it';
      COMMENT ON COLUMN batches.list_id IS 'the list that this batch verifies again; null: it becomes a list itself';
      COMMENT ON COLUMN batches.columns IS 'JSON: names of the other columns, and the layout of a CSV of addresses';
      COMMENT ON COLUMN batches.retry_window_seconds IS 'null: as the installation says';
      COMMENT ON COLUMN batches.malformed IS 'distinct items that can have no answer but one of syntax; null: not counted, because it was never held';
      COMMENT ON COLUMN batches.open_chunks IS 'the transaction that stores the last result of the last chunk completes the batch';
      COMMENT ON COLUMN batches.valid IS 'the four verdicts count rows, so that a duplicate counts as often as it was sent';
      CREATE INDEX batches_unkept ON batches (account_id, simulated)
        WHERE finished_at IS NOT NULL AND kept_from IS NOT NULL AND kind = 'verify';
      COMMENT ON COLUMN batches.reused IS 'addresses that are given a verdict again';
      COMMENT ON COLUMN batches.kept_from IS 'the first chunk whose verdicts are not kept for reuse; null: all are';
      COMMENT ON COLUMN batches.erasures IS 'how often addresses were erased from it: what was read before that is not kept afterwards';
      COMMENT ON COLUMN batches.is_ordered IS 'all its results stand in batch_ordered_results too';
      COMMENT ON COLUMN batches.expires_at IS 'when the cleanup deletes the batch with its rows, chunks and results';

      CREATE TABLE batch_settings (
        account_id           uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated            boolean NOT NULL,
        retention_days       integer,
        retry_window_seconds integer,
        PRIMARY KEY (account_id, simulated)
      );
      COMMENT ON TABLE batch_settings IS 'of accounts that have chosen something else than the defaults, by mode';
      COMMENT ON COLUMN batch_settings.simulated IS 'of the test mode; else of the live one';
      COMMENT ON COLUMN batch_settings.retention_days IS 'null: as long as the plan lets batches be kept';
      COMMENT ON COLUMN batch_settings.retry_window_seconds IS 'null: as the installation says';

      CREATE TABLE batch_rows (
        batch_id      bigint NOT NULL,
        number        integer NOT NULL,
        items         text NOT NULL,
        row_refs      bytea NOT NULL,
        extra_columns text,
        PRIMARY KEY (batch_id, number)
      ) PARTITION BY RANGE (batch_id);
      ALTER TABLE batch_rows ALTER COLUMN row_refs SET STORAGE EXTERNAL;
      COMMENT ON TABLE batch_rows IS 'what was sent, in its order: a block of 1,000 rows in each';
      COMMENT ON COLUMN batch_rows.items IS 'JSON: by offset, as sent, the duplicates of earlier rows; all other items are stored in their chunk only';
      COMMENT ON COLUMN batch_rows.row_refs IS 'for each row the chunk and offset that answer it: 4 bytes (little-endian), chunk * 1000 + offset';
      COMMENT ON COLUMN batch_rows.extra_columns IS 'JSON: the other columns of a CSV, an array for each row';

      CREATE TABLE batch_chunks (
        batch_id         bigint NOT NULL,
        number           integer NOT NULL,
        partition        smallint NOT NULL,
        size             smallint NOT NULL,
        partitioned_by   text NOT NULL CHECK (partitioned_by IN ('domain', 'operator')),
        items            text NOT NULL,
        duplicates       integer[] NOT NULL DEFAULT '{}',
        kept             bytea,
        pass             smallint NOT NULL DEFAULT 0,
        offsets          smallint[],
        later_offsets    smallint[],
        waiting_counts   smallint[],
        window_ends_at   timestamptz,
        retry_sources    text,
        attempts         smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
        due_at           timestamptz NOT NULL,
        worker_id        integer,
        lease_owner      uuid,
        lease_expires_at timestamptz,
        done             boolean NOT NULL DEFAULT false,
        PRIMARY KEY (batch_id, number)
      ) PARTITION BY RANGE (batch_id);
      ALTER TABLE batch_chunks ALTER COLUMN items SET STORAGE EXTERNAL;
      CREATE INDEX batch_chunks_open ON batch_chunks (batch_id, partition, number) WHERE NOT done;
      CREATE INDEX batch_chunks_waiting ON batch_chunks (batch_id) WHERE NOT done AND pass > 0;
      CREATE INDEX batch_chunks_poisoned ON batch_chunks (batch_id) WHERE NOT done AND attempts >= 3;
      CREATE INDEX batch_chunks_leased ON batch_chunks (worker_id) WHERE NOT done AND worker_id IS NOT NULL;
      COMMENT ON TABLE batch_chunks IS 'the work: each item once, at most 1,000 in a chunk';
      COMMENT ON COLUMN batch_chunks.partition IS 'chunks with items in common: those of one mail operator, or of one mail domain, are in one partition';
      COMMENT ON COLUMN batch_chunks.partitioned_by IS 'domain: a worker puts the items into partitions by mail operator before it works on them; operator: the chunk is worked on as it is';
      COMMENT ON COLUMN batch_chunks.items IS 'JSON: addresses, or people as batches.kind says';
      COMMENT ON COLUMN batch_chunks.retry_sources IS 'JSON: names of sending addresses with the offsets that each has to come back for, because hosts have seen it';
      COMMENT ON COLUMN batch_chunks.duplicates IS 'pairs: offset of an item that was sent more than once, and how many further rows it answers';
      ALTER TABLE batch_chunks ALTER COLUMN kept SET STORAGE EXTERNAL;
      COMMENT ON COLUMN batch_chunks.kept IS 'verdicts that items are given again, by offset';
      COMMENT ON COLUMN batch_chunks.pass IS '0, then the number of a time in the retry window';
      COMMENT ON COLUMN batch_chunks.offsets IS 'the items of this pass; null: all';
      COMMENT ON COLUMN batch_chunks.later_offsets IS 'items that wait for the pass at half of the retry window';
      COMMENT ON COLUMN batch_chunks.waiting_counts IS 'how many items wait, by reason: greylisted, rate_limited, temporary_failure, smtp_timeout, dns_error, ip_blocked, smtp_unreachable';
      COMMENT ON COLUMN batch_chunks.window_ends_at IS 'nothing of the chunk is put off beyond it; null before its first pass has ended';
      COMMENT ON COLUMN batch_chunks.attempts IS 'how often workers began this pass without storing its results';
      COMMENT ON COLUMN batch_chunks.due_at IS 'no worker begins this pass earlier';
      COMMENT ON COLUMN batch_chunks.worker_id IS 'the process that has the lease: it holds an advisory lock with this number as long as it lives';
      COMMENT ON COLUMN batch_chunks.lease_owner IS 'one acquisition of chunks by a worker, which renews and releases them together';
      COMMENT ON COLUMN batch_chunks.lease_expires_at IS 'other workers may take the chunk from then on; without a lease it is a pause';

      CREATE TABLE batch_workers (
        worker_id integer PRIMARY KEY,
        region    text
      );
      COMMENT ON TABLE batch_workers IS 'processes that work on batches; alive is whose advisory lock is held';
      COMMENT ON COLUMN batch_workers.region IS 'whose accounts it works for, beside those without one; null: only those without';

      CREATE TABLE batch_waits (
        batch_id  bigint NOT NULL REFERENCES batches ON DELETE CASCADE,
        partition smallint NOT NULL,
        until     timestamptz NOT NULL,
        PRIMARY KEY (batch_id, partition)
      );
      COMMENT ON TABLE batch_waits IS 'partitions whose pace is set by the caps of a mail operator';
      COMMENT ON COLUMN batch_waits.until IS 'the end of the partition at the pace that its worker measured last';

      CREATE TABLE batch_results (
        batch_id bigint NOT NULL,
        chunk    integer NOT NULL,
        pass     smallint NOT NULL,
        results  text NOT NULL,
        PRIMARY KEY (batch_id, chunk, pass)
      ) PARTITION BY RANGE (batch_id);
      CREATE TABLE batch_summaries (
        batch_id    bigint PRIMARY KEY REFERENCES batches ON DELETE CASCADE,
        finished_at timestamptz NOT NULL,
        erasures    integer NOT NULL,
        summary     text NOT NULL
      );
      COMMENT ON TABLE batch_summaries IS 'rows of ended batches by reason, domain and mail operator: of a large one counted soon after its end, of others when somebody asks first';
      COMMENT ON COLUMN batch_summaries.finished_at IS 'the end of the batch whose results were counted; a batch that was begun again has another one';
      COMMENT ON COLUMN batch_summaries.erasures IS 'those of the batch when its results were counted';
      COMMENT ON COLUMN batch_summaries.summary IS 'JSON';
      CREATE TABLE batch_ordered_results (
        batch_id bigint NOT NULL REFERENCES batches ON DELETE CASCADE,
        block    integer NOT NULL,
        items    text NOT NULL,
        results  text NOT NULL,
        facts    text NOT NULL,
        domains  integer[] NOT NULL,
        PRIMARY KEY (batch_id, block)
      );
      COMMENT ON TABLE batch_ordered_results IS 'the results of large batches that have ended, again, in the order in which their rows were sent: a block of 1,000 rows in each';
      COMMENT ON COLUMN batch_ordered_results.items IS 'JSON: what was verified, by place in the block; empty for a row without a result';
      COMMENT ON COLUMN batch_ordered_results.results IS 'packed like those of a chunk, with the place in the block as offset';
      COMMENT ON COLUMN batch_ordered_results.facts IS 'JSON: verdict, reason and mail operator, each combination that a row of the block has';
      COMMENT ON COLUMN batch_ordered_results.domains IS 'four bytes of the hash of each domain of its rows, ascending';
      COMMENT ON TABLE batch_results IS 'what one pass over one chunk settled; the primary key lets it be stored once';

      CREATE TABLE batch_rows_default PARTITION OF batch_rows DEFAULT;
      CREATE TABLE batch_chunks_default PARTITION OF batch_chunks DEFAULT;
      CREATE TABLE batch_results_default PARTITION OF batch_results DEFAULT;

      CREATE FUNCTION waiting_chunks(of_batch bigint)
        RETURNS TABLE (due_at timestamptz, window_ends_at timestamptz, waiting_counts smallint[])
        LANGUAGE plpgsql STABLE ROWS 10 AS $$
        BEGIN
          RETURN QUERY SELECT chunk.due_at, chunk.window_ends_at, chunk.waiting_counts
            FROM batch_chunks AS chunk WHERE batch_id = of_batch AND NOT done AND pass > 0;
        END
      $$;
      COMMENT ON FUNCTION waiting_chunks IS 'in a function, so that the plans of statements that read a batch have one partition in them instead of all';
      CREATE FUNCTION is_partition_open(of_batch bigint, of_partition smallint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
        BEGIN
          RETURN EXISTS (SELECT FROM batch_chunks WHERE batch_id = of_batch AND partition = of_partition AND NOT done);
        END
      $$;
      COMMENT ON FUNCTION is_partition_open IS 'in a function for the same reason';

      CREATE TABLE batch_remains (
        batch_id   bigint PRIMARY KEY,
        account_id uuid NOT NULL,
        deleted_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX batch_remains_by_account ON batch_remains (account_id);
      COMMENT ON TABLE batch_remains IS 'deleted batches whose rows, chunks and results may still be there: they go with the partitions of their days, at the latest a day after the batch';

      CREATE FUNCTION delete_parts_of(batches bigint[]) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
          deleted bigint;
        BEGIN
          FOREACH deleted IN ARRAY batches LOOP
            DELETE FROM batch_rows WHERE batch_id = deleted;
            DELETE FROM batch_chunks WHERE batch_id = deleted;
            DELETE FROM batch_results WHERE batch_id = deleted;
          END LOOP;
        END
      $$;
      COMMENT ON FUNCTION delete_parts_of IS 'rows, chunks and results of batches that are deleted';
      CREATE FUNCTION delete_batch_parts() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          leaves boolean := coalesce(current_setting('mailsonde.leave_parts', true), '') = 'on';
        BEGIN
          INSERT INTO batch_remains (batch_id, account_id)
          SELECT id, account_id FROM gone WHERE leaves OR state = 'receiving' ON CONFLICT DO NOTHING;
          IF NOT leaves THEN
            PERFORM delete_parts_of(array(SELECT id FROM gone));
          END IF;
          RETURN NULL;
        END
      $$;
      COMMENT ON FUNCTION delete_batch_parts IS 'in the place of foreign keys: the clean-up leaves parts to the end of their partition, by mailsonde.leave_parts, and nobody else does';
      CREATE TRIGGER batches_delete_parts AFTER DELETE ON batches REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION delete_batch_parts();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE batch_settings, batch_ordered_results, batch_summaries, batch_results, batch_waits, batch_workers, batch_chunks, batch_rows, batch_remains, batches;
      DROP FUNCTION delete_batch_parts, delete_parts_of, waiting_chunks, is_partition_open;
    `);
  }
}

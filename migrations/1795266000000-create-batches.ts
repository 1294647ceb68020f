import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateBatches1795266000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE batches (
        id               bigint PRIMARY KEY CHECK (id > 0 AND id < 9007199254740992),
        account_id       uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        key_id           uuid NOT NULL,
        policy           text NOT NULL,
        simulated        boolean NOT NULL,
        state            text NOT NULL
          CHECK (state IN ('receiving', 'queued', 'processing', 'completed', 'failed', 'cancelled')),
        name             text,
        webhook_url      text,
        columns          text,
        retention_days   integer NOT NULL,
        total_rows       integer NOT NULL DEFAULT 0,
        unique_addresses integer NOT NULL DEFAULT 0,
        open_chunks      integer NOT NULL DEFAULT 0 CHECK (open_chunks >= 0),
        valid            integer NOT NULL DEFAULT 0,
        invalid          integer NOT NULL DEFAULT 0,
        risky            integer NOT NULL DEFAULT 0,
        unknown          integer NOT NULL DEFAULT 0,
        reservation_id   uuid,
        credit_source    text,
        credits_reserved integer NOT NULL DEFAULT 0,
        credits_charged  integer NOT NULL DEFAULT 0,
        created_at       timestamptz NOT NULL,
        started_at       timestamptz,
        finished_at      timestamptz,
        expires_at       timestamptz,
        CHECK (valid + invalid + risky + unknown <= total_rows),
        CHECK ((finished_at IS NULL) = (state IN ('receiving', 'queued', 'processing')))
      );
      CREATE INDEX batches_listing ON batches (account_id, created_at, id) WHERE state <> 'receiving';
      CREATE INDEX batches_unfinished ON batches (created_at) WHERE finished_at IS NULL;
      CREATE INDEX batches_expiring ON batches (expires_at);
      COMMENT ON COLUMN batches.id IS 'random: tells nobody how many there are';
      COMMENT ON COLUMN batches.state IS 'receiving: its body still comes, and nobody sees it';
      COMMENT ON COLUMN batches.columns IS 'JSON: names of the other columns of a CSV';
      COMMENT ON COLUMN batches.open_chunks IS 'whoever takes the last one away completes the batch';
      COMMENT ON COLUMN batches.valid IS 'the four verdicts count rows, so that repeated addresses count as often as they were sent';
      COMMENT ON COLUMN batches.expires_at IS 'when its addresses are deleted';

      CREATE TABLE batch_rows (
        batch_id bigint NOT NULL REFERENCES batches ON DELETE CASCADE,
        number   integer NOT NULL,
        emails   text NOT NULL,
        places   bytea NOT NULL,
        cells    text,
        PRIMARY KEY (batch_id, number)
      );
      COMMENT ON TABLE batch_rows IS 'what was sent, in its order: 1,000 rows in one';
      COMMENT ON COLUMN batch_rows.emails IS 'JSON: as they were given';
      COMMENT ON COLUMN batch_rows.places IS 'where each one is verified: 4 bytes (little-endian), chunk * 1000 + offset in it';
      COMMENT ON COLUMN batch_rows.cells IS 'JSON: the other columns, an array for each row';

      CREATE TABLE batch_chunks (
        batch_id     bigint NOT NULL REFERENCES batches ON DELETE CASCADE,
        number       integer NOT NULL,
        bucket       smallint NOT NULL,
        size         smallint NOT NULL,
        emails       text NOT NULL,
        repeats      integer[] NOT NULL DEFAULT '{}',
        round        smallint NOT NULL DEFAULT 0,
        offsets      smallint[],
        due_at       timestamptz NOT NULL,
        holder       uuid,
        leased_until timestamptz,
        done         boolean NOT NULL DEFAULT false,
        PRIMARY KEY (batch_id, number)
      );
      CREATE INDEX batch_chunks_open ON batch_chunks (batch_id, bucket, number) WHERE NOT done;
      COMMENT ON TABLE batch_chunks IS 'the work: each address once, at most 1,000 in a row, those of one mail domain in one bucket';
      COMMENT ON COLUMN batch_chunks.emails IS 'JSON';
      COMMENT ON COLUMN batch_chunks.repeats IS 'pairs: offset of an address that was sent more than once, and how many times more';
      COMMENT ON COLUMN batch_chunks.round IS '0, then one more for each later try of soft answers';
      COMMENT ON COLUMN batch_chunks.offsets IS 'what is left for this round; null: all';

      CREATE TABLE batch_results (
        batch_id bigint NOT NULL REFERENCES batches ON DELETE CASCADE,
        chunk    integer NOT NULL,
        round    smallint NOT NULL,
        results  text NOT NULL,
        PRIMARY KEY (batch_id, chunk, round)
      );
      COMMENT ON TABLE batch_results IS 'what one round of one chunk settled; the key makes it happen once';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE batch_results, batch_chunks, batch_rows, batches');
  }
}

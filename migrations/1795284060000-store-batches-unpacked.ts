import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StoreBatchesUnpacked1795284060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE batch_rows ALTER COLUMN places SET STORAGE EXTERNAL;
      ALTER TABLE batch_chunks ALTER COLUMN emails SET STORAGE EXTERNAL;
      COMMENT ON COLUMN batch_rows.emails IS 'JSON: by offset, as they were given, those whose address had come before; the others stand in their chunk only';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH addresses AS (
        SELECT batch_id, number * 1000 + n - 1 AS place, email
          FROM batch_chunks, json_array_elements_text(emails::json) WITH ORDINALITY AS element (email, n)
      ), sent AS (
        SELECT batch_id, number, i, emails::json ->> i::text AS own,
               get_byte(places, 4 * i) + (get_byte(places, 4 * i + 1) << 8) + (get_byte(places, 4 * i + 2) << 16) AS place
          FROM batch_rows, generate_series(0, length(places) / 4 - 1) AS i
         WHERE emails LIKE '{%'
      ), whole AS (
        SELECT batch_id, number, json_agg(coalesce(own, email) ORDER BY i)::text AS emails
          FROM sent JOIN addresses USING (batch_id, place) GROUP BY batch_id, number
      )
      UPDATE batch_rows AS row SET emails = whole.emails
        FROM whole WHERE (row.batch_id, row.number) = (whole.batch_id, whole.number);
      COMMENT ON COLUMN batch_rows.emails IS 'JSON: as they were given';
      ALTER TABLE batch_rows ALTER COLUMN places SET STORAGE EXTENDED;
      ALTER TABLE batch_chunks ALTER COLUMN emails SET STORAGE EXTENDED;
    `);
  }
}

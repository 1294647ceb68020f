import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateFinder1795400300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE domain_patterns (
        domain    text NOT NULL,
        pattern   text NOT NULL,
        addresses bigint NOT NULL CHECK (addresses > 0),
        PRIMARY KEY (domain, pattern)
      );
      COMMENT ON TABLE domain_patterns IS 'how a company makes addresses of names: counts, never an address';
      COMMENT ON COLUMN domain_patterns.pattern IS 'such as {first}.{last}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE domain_patterns');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateMonitors1795401260000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE monitors (
        id                bigint PRIMARY KEY,
        account_id        uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        simulated         boolean NOT NULL,
        kind              text NOT NULL CHECK (kind IN ('domain', 'address')),
        target            text NOT NULL,
        name              text,
        settings          jsonb NOT NULL,
        interval_minutes  integer NOT NULL CHECK (interval_minutes > 0),
        state             text NOT NULL CHECK (state IN ('pending', 'ok', 'warning', 'critical', 'unknown')),
        paused            text CHECK (paused IN ('owner', 'plan', 'suspended', 'operator')),
        paused_why        text,
        created_at        timestamptz NOT NULL,
        next_run_at       timestamptz NOT NULL,
        holder            uuid,
        leased_until      timestamptz,
        runs              integer NOT NULL DEFAULT 0,
        last_run_id       bigint,
        last_run_at       timestamptz,
        asked_at          timestamptz,
        unanswered_since  timestamptz,
        stalled_at        timestamptz,
        watched           integer NOT NULL DEFAULT 0,
        memory            jsonb NOT NULL DEFAULT '{}',
        UNIQUE (account_id, simulated, kind, target)
      );
      CREATE INDEX monitors_due ON monitors (next_run_at) WHERE paused IS NULL;
      CREATE INDEX monitors_listing ON monitors (account_id, simulated, created_at DESC, id DESC);
      COMMENT ON TABLE monitors IS 'domains and addresses that are looked at again and again';
      COMMENT ON COLUMN monitors.id IS 'random, so that it does not reveal how many monitors there are';
      COMMENT ON COLUMN monitors.state IS 'as the last run left it, also while it is paused';
      COMMENT ON COLUMN monitors.paused IS 'who keeps it from running; null: nobody';
      COMMENT ON COLUMN monitors.holder IS 'the process that runs it now: what it has found counts as long as it holds the row';
      COMMENT ON COLUMN monitors.runs IS 'how many have ended: the worlds of test keys change by it';
      COMMENT ON COLUMN monitors.asked_at IS 'when somebody asked for a run last';
      COMMENT ON COLUMN monitors.unanswered_since IS 'the first of the runs in a row that learned nothing';
      COMMENT ON COLUMN monitors.stalled_at IS 'when its owner was told of them; null: not yet';
      COMMENT ON COLUMN monitors.watched IS 'targets that the last run asked block lists about';
      COMMENT ON COLUMN monitors.memory IS 'what the next run must know, such as selectors that were found';

      CREATE TABLE monitor_runs (
        id           bigint PRIMARY KEY,
        monitor_id   bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        number       integer NOT NULL,
        cause        text NOT NULL CHECK (cause IN ('schedule', 'request')),
        state        text NOT NULL CHECK (state IN ('ok', 'warning', 'critical', 'unknown')),
        answered     boolean NOT NULL,
        started_at   timestamptz NOT NULL,
        finished_at  timestamptz NOT NULL,
        facts_hash   text NOT NULL,
        changed      boolean NOT NULL,
        result_of    bigint NOT NULL,
        result       jsonb,
        opened       integer NOT NULL,
        resolved     integer NOT NULL,
        credits_charged integer NOT NULL,
        UNIQUE (monitor_id, number),
        CHECK ((result IS NOT NULL) = (result_of = id))
      );
      CREATE INDEX monitor_runs_listing ON monitor_runs (monitor_id, finished_at DESC, id DESC);
      CREATE INDEX monitor_runs_finished_at ON monitor_runs (finished_at);
      CREATE INDEX monitor_runs_result_of ON monitor_runs (result_of);
      COMMENT ON COLUMN monitor_runs.facts_hash IS 'of what was published and listed, whatever its order';
      COMMENT ON COLUMN monitor_runs.changed IS 'facts or findings are others than those of the run before: such a run is kept longest';
      COMMENT ON COLUMN monitor_runs.result_of IS 'the run that found the same first and holds the result: itself, or one before';

      CREATE TABLE monitor_findings (
        id             bigint PRIMARY KEY,
        monitor_id     bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        code           text NOT NULL,
        subject        text NOT NULL,
        area           text NOT NULL,
        severity       text NOT NULL CHECK (severity IN ('critical', 'warning', 'info')),
        state          text NOT NULL CHECK (state IN ('suspected', 'open', 'clearing', 'resolved')),
        first_seen_at  timestamptz NOT NULL,
        confirmed_at   timestamptz,
        last_seen_at   timestamptz NOT NULL,
        clean_since    timestamptz,
        resolved_at    timestamptz,
        seen_runs      integer NOT NULL,
        clean_runs     integer NOT NULL,
        flips          timestamptz[] NOT NULL,
        told           text CHECK (told IN ('open', 'resolved')),
        told_severity  text,
        told_at        timestamptz,
        explanation    text NOT NULL,
        evidence       jsonb NOT NULL,
        fix            jsonb,
        rfc            text,
        list           text,
        turned_at      timestamptz,
        muted_until    timestamptz,
        note           text
      );
      CREATE UNIQUE INDEX monitor_findings_subject ON monitor_findings (monitor_id, code, subject);
      CREATE INDEX monitor_findings_listing ON monitor_findings (monitor_id, first_seen_at DESC, id DESC);
      CREATE INDEX monitor_findings_turned ON monitor_findings (list, turned_at) WHERE turned_at IS NOT NULL;
      CREATE INDEX monitor_findings_resolved_at ON monitor_findings (resolved_at) WHERE state = 'resolved';
      COMMENT ON TABLE monitor_findings IS 'one row for each thing that was ever wrong: when it comes again, it is the same finding';
      COMMENT ON COLUMN monitor_findings.flips IS 'when it came or went lately: often is flapping';
      COMMENT ON COLUMN monitor_findings.told IS 'what the owner knows; null: nothing';
      COMMENT ON COLUMN monitor_findings.list IS 'the block list that has the subject';
      COMMENT ON COLUMN monitor_findings.turned_at IS 'when it turned listed under our eyes: many at once are the fault of the list';

      CREATE TABLE monitor_events (
        id          bigint PRIMARY KEY,
        monitor_id  bigint NOT NULL REFERENCES monitors ON DELETE CASCADE,
        at          timestamptz NOT NULL,
        type        text NOT NULL,
        run_id      bigint,
        finding_id  bigint,
        data        jsonb NOT NULL
      );
      CREATE INDEX monitor_events_listing ON monitor_events (monitor_id, at DESC, id DESC);
      CREATE INDEX monitor_events_at ON monitor_events (at);
      COMMENT ON TABLE monitor_events IS 'the timeline of monitors, to which nobody but the clean-up does anything but add';
      COMMENT ON COLUMN monitor_events.run_id IS 'no foreign key: the event stays when the run is forgotten';

      CREATE TABLE blacklist_suspicions (
        list     text PRIMARY KEY,
        since    timestamptz NOT NULL,
        until    timestamptz NOT NULL,
        turned   integer NOT NULL,
        watched  integer NOT NULL
      );
      COMMENT ON TABLE blacklist_suspicions IS 'lists that many watched targets turned listed on at once: what they say is not told until the suspicion ends';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE monitor_events, monitor_findings, monitor_runs, monitors, blacklist_suspicions');
  }
}

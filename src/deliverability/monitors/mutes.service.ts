import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { recordAccountAction } from '../../keys/account-actions.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { MonitorFinding } from './findings/monitor-run.js';
import type { Monitor, MutedList } from './findings/monitor.js';
import { RunsStore } from './runs.store.js';
import { type MonitorWithCounts, MonitorsStore } from './monitors.store.js';
import { readId } from '../../platform/http/ids.js';
import { ListQuestionsService } from '../blacklists/list-questions.service.js';
import type { TimelineEntry } from './findings/judge-run.js';
import { FINDING_COLUMNS } from './monitor-columns.js';
import { selected } from '../../platform/database/rows.js';

/** What an owner has set to say nothing of, or has written to it. */
export interface Mute {
  /** Null: it is told of. */
  readonly until: Date | null;
  readonly note: string | null;
}

/** What an owner asks for; undefined: it stays. */
export type MuteInput = { readonly [Member in keyof Mute]: Mute[Member] | undefined };

const NOT_MUTED: Mute = { until: null, note: null };

/** Mutes a finding, or all that a block list says of what a monitor watches, until a date. What is still so then is told. */
@Injectable()
export class MonitorMutesService {
  constructor(
    private readonly database: DataSource,
    private readonly monitors: MonitorsStore,
    private readonly timeline: RunsStore,
    private readonly lists: ListQuestionsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `monitor_not_found`, `finding_not_found`, `invalid_input` */
  muteFinding(
    principal: Principal,
    { id, findingId }: { readonly id: number; readonly findingId: string },
    asked: MuteInput,
  ): Promise<MonitorFinding> {
    return this.change(principal, id, async (tx, _, now) => {
      const number = readId(findingId, 'finding_not_found');
      checkMuteInput(asked, now);
      const [finding]: MonitorFinding[] = await tx.query(
        `SELECT ${selected(FINDING_COLUMNS, 'finding')} FROM monitor_findings AS finding WHERE monitor_id = $1 AND id = $2 FOR UPDATE`,
        [id, number],
      );
      if (finding === undefined) throw new AppError('finding_not_found');
      const before = { until: finding.mutedUntil, note: finding.note };
      const after = muteAfter(before, asked);
      await tx.query('UPDATE monitor_findings SET muted_until = $2, note = $3 WHERE id = $1', [
        finding.id,
        after.until,
        after.note,
      ]);
      const became = muteChange(before, after, now);
      if (became !== null) {
        await this.tell(tx, id, now, { type: `finding.${became}`, findingId: finding.id, data: muteEntry(after) });
        await recordAccountAction(tx, principal, now, 'monitor.mute', { monitor_id: id, finding_id: finding.id });
      }
      return { ...finding, mutedUntil: after.until, note: after.note };
    });
  }

  /** @throws AppError `monitor_not_found`, `blacklist_not_found`, `invalid_input` */
  muteList(
    principal: Principal,
    { id, list }: { readonly id: number; readonly list: string },
    asked: MuteInput,
  ): Promise<MonitorWithCounts> {
    return this.change(principal, id, async (tx, { settings }, now) => {
      if (!this.lists.isKnown(list))
        throw new AppError('blacklist_not_found', {
          message: 'There is no such block list: GET /api/v1/blacklists names those that there are.',
        });
      checkMuteInput(asked, now);
      const { [list]: stored, ...others } = settings.mutedLists ?? {};
      const before = muteOf(stored);
      const wanted = muteAfter(before, asked);
      // A note is of the mute, and goes with it: nothing else of the list is kept.
      if (wanted.until === null && asked.until === undefined)
        throw invalidField('muted_until', 'must be a time such as 2027-01-31T12:00:00Z');
      const after = wanted.until === null ? NOT_MUTED : wanted;
      const became = muteChange(before, after, now);
      if (became !== null) {
        const mutedLists =
          after.until === null
            ? others
            : { ...others, [list]: storedMute(stored, { ...after, until: after.until }, now, principal.keyId) };
        await this.monitors.change(tx, id, { settings: { ...settings, mutedLists } });
        const data = { list, ...muteEntry(after) };
        await this.tell(tx, id, now, { type: `list.${became}`, data });
        await recordAccountAction(tx, principal, now, 'monitor.mute', {
          monitor_id: id,
          list,
          muted_until: data.muted_until,
        });
      }
      return (await this.monitors.find(ownerOf(principal), id, tx))!;
    });
  }

  private change<Result>(
    principal: Principal,
    id: number,
    change: (tx: EntityManager, monitor: Monitor, now: Date) => Promise<Result>,
  ): Promise<Result> {
    const now = this.clock.date();
    return this.database.transaction(async (tx) => {
      const monitor = await this.monitors.lock(tx, ownerOf(principal), id);
      if (monitor === null) throw new AppError('monitor_not_found');
      return change(tx, monitor, now);
    });
  }

  private tell(tx: EntityManager, id: number, at: Date, entry: TimelineEntry): Promise<void> {
    return this.timeline.addToTimeline(tx, id, { at, runId: null }, [entry]);
  }
}

function muteEntry({ until, note }: Mute) {
  return { muted_until: until?.toISOString() ?? null, has_note: note !== null };
}

function muteOf(stored: MutedList | undefined): Mute {
  return stored === undefined ? NOT_MUTED : { until: new Date(stored.until), note: stored.note };
}

/** A mute that is made longer or shorter is still the one that it was. */
function storedMute(
  before: MutedList | undefined,
  { until, note }: Mute & { readonly until: Date },
  now: Date,
  mutedBy: string,
): MutedList {
  const isMuted = before !== undefined && new Date(before.until) > now;
  const { since, keyId } = isMuted ? before : { since: now.toISOString(), keyId: mutedBy };
  return { until: until.toISOString(), note, since, keyId };
}

/** @throws AppError `invalid_input` where it asks for nothing, or for a time that has passed */
export function checkMuteInput({ until, note }: MuteInput, now: Date): void {
  if (until === undefined && note === undefined)
    throw invalidField('muted_until', 'must be a time such as 2027-01-31T12:00:00Z, or null');
  if (until instanceof Date && until <= now) throw invalidField('muted_until', 'must be a time that lies ahead');
}

export function muteAfter(before: Mute, { until, note }: MuteInput): Mute {
  return { until: until === undefined ? before.until : until, note: note === undefined ? before.note : note };
}

/** What a change made of it, in the word of the timeline; null: nothing that anybody would notice. */
export function muteChange(before: Mute, after: Mute, now: Date): 'muted' | 'unmuted' | 'noted' | null {
  const untilOf = ({ until }: Mute): number | null => (until === null || until <= now ? null : until.getTime());
  if (untilOf(before) !== untilOf(after)) return untilOf(after) === null ? 'unmuted' : 'muted';
  return before.note === after.note ? null : 'noted';
}

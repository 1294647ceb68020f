import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ListQuestions } from '../../blacklists/list-questions.service.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { recordOwnAct } from '../../keys/own-acts.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { type Mute, muteChange } from '../model/monitor-event.js';
import { MAX_ID, MIN_ID, type MutedList } from '../model/monitor.js';
import { RunsStore } from '../runs/runs.store.js';
import { MonitorsService, type MonitorWithCounts } from '../http/monitors.service.js';
import { MonitorsStore } from '../http/monitors.store.js';
import { type AskedMute, checkAskedMute } from './asked-mute.js';

/** Mutes all that a block list says of what a monitor watches, until a date. What it still says then is told. */
@Injectable()
export class MutedLists {
  constructor(
    private readonly database: DataSource,
    private readonly monitors: MonitorsService,
    private readonly store: MonitorsStore,
    private readonly timeline: RunsStore,
    private readonly lists: ListQuestions,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `monitor_not_found`, `blacklist_not_found`, `invalid_input` */
  mute(
    principal: Principal,
    { id, list }: { readonly id: number; readonly list: string },
    asked: AskedMute,
  ): Promise<MonitorWithCounts> {
    const owner = ownerOf(principal);
    const now = new Date(this.clock.now());
    return this.database.transaction(async (tx) => {
      const monitor = await this.store.lock(tx, owner, id);
      if (monitor === null) throw new AppError('monitor_not_found');
      if (!this.lists.isKnown(list))
        throw new AppError('blacklist_not_found', {
          message: 'There is no such block list: GET /api/v1/blacklists names those that there are.',
        });
      checkAskedMute(asked, now);
      const { [list]: before, ...others } = monitor.settings.mutedLists ?? {};
      const after = muteAfter(before ?? null, asked, { now, keyId: principal.keyId });
      const became = muteChange(muteOf(before ?? null), muteOf(after), now);
      if (became === null) return this.monitors.get(owner, id, tx);
      const mutedLists = after === null ? others : { ...others, [list]: after };
      await this.store.change(tx, id, { settings: { ...monitor.settings, mutedLists } });
      const data = { list, muted_until: after?.until ?? null, has_note: after !== null && after.note !== null };
      const newId = () => randomInt(MIN_ID, MAX_ID);
      await this.timeline.addHappenings(tx, id, { at: now, runId: null, newId }, [
        { type: `list.${became}`, findingId: null, data },
      ]);
      await recordOwnAct(tx, principal, now, 'monitor.mute', { monitor_id: id, list, muted_until: data.muted_until });
      return this.monitors.get(owner, id, tx);
    });
  }
}

function muteOf(one: MutedList | null): Mute {
  return { until: one === null ? null : new Date(one.until), note: one?.note ?? null };
}

interface MutedBy {
  readonly now: Date;
  readonly keyId: string;
}

/** A mute that is made longer or shorter is still the one that it was. */
function muteAfter(before: MutedList | null, { until, note }: AskedMute, by: MutedBy): MutedList | null {
  if (until === null) return null;
  const at = until ?? (before === null ? null : new Date(before.until));
  if (at === null) throw invalidField('muted_until', 'must be a time such as 2027-01-31T12:00:00Z');
  const isMuted = before !== null && new Date(before.until) > by.now;
  const { since, keyId } = isMuted ? before : { since: by.now.toISOString(), keyId: by.keyId };
  return { until: at.toISOString(), note: note === undefined ? (before?.note ?? null) : note, since, keyId };
}

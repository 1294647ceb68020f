import { Injectable } from '@nestjs/common';
import {
  keyOf,
  type ListChange,
  type ListHealth,
  ListHealthService,
} from '../deliverability/blacklists/list-health.service.js';
import {
  type KnownList,
  type ListOff,
  DisabledBlacklists,
  BlacklistRegistry,
} from '../deliverability/blacklists/blacklist-registry.js';
import { TARGET_KINDS, type TargetKind } from '../mail-dns/blacklist-row.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Actor } from './actor.js';
import { AuditService, NOTHING_MORE } from './audit.service.js';
import type { EntityManager } from 'typeorm';

/** A block list as administrators see it. */
export interface WatchedList {
  readonly known: KnownList;
  readonly healths: readonly { readonly kind: TargetKind; readonly health: ListHealth }[];
  /** Null: it is not turned off. */
  readonly off: ListOff | null;
  /** Newest first. */
  readonly history: readonly ListChange[];
}

/** The acts of administrators on block lists. */
@Injectable()
export class BlacklistAdministrationService {
  constructor(
    private readonly world: BlacklistRegistry,
    private readonly healths: ListHealthService,
    private readonly switches: DisabledBlacklists,
    private readonly audit: AuditService,
  ) {}

  async list(): Promise<readonly WatchedList[]> {
    const [healths, off, history] = await Promise.all([
      this.healths.known(),
      this.switches.off(),
      this.healths.history(),
    ]);
    return this.world.lists(false).map((known) => {
      const { id } = known.list;
      return {
        known,
        healths: TARGET_KINDS.flatMap((kind) => {
          const health = healths.get(keyOf(id, kind));
          return health === undefined ? [] : [{ kind, health }];
        }),
        off: off.get(id) ?? null,
        history: history.filter(({ list }) => list === id),
      };
    });
  }

  /** Asks the list for its test points now, where this installation may ask it. @throws AppError `blacklist_not_found` */
  async test(actor: Actor, id: string): Promise<WatchedList> {
    const { access } = this.found(id);
    if ('open' in access) await this.healths.testNow(access.open);
    await this.audit.audited(actor, 'blacklist.test', NOTHING_MORE, () => ({ details: { list: id } }));
    return this.one(id);
  }

  /** Nobody asks it any more, at once and in all processes. @throws AppError `blacklist_not_found` */
  async turnOff(actor: Actor, id: string, reason: string): Promise<WatchedList> {
    this.found(id);
    const turnOff = (tx: EntityManager) => this.switches.turnOff(tx, id, { reason, by: actor.name });
    await this.audit.audited(actor, 'blacklist.turn_off', turnOff, () => ({ details: { list: id, reason } }));
    return this.one(id);
  }

  /** @throws AppError `blacklist_not_found` */
  async turnOn(actor: Actor, id: string): Promise<WatchedList> {
    this.found(id);
    const turnOn = (tx: EntityManager) => this.switches.turnOn(tx, id);
    await this.audit.audited(actor, 'blacklist.turn_on', turnOn, () => ({ details: { list: id } }));
    return this.one(id);
  }

  private found(id: string): KnownList {
    const known = this.world.lists(false).find(({ list }) => list.id === id);
    if (known === undefined) throw new AppError('blacklist_not_found');
    return known;
  }

  private async one(id: string): Promise<WatchedList> {
    return (await this.list()).find(({ known }) => known.list.id === id)!;
  }
}

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchAgainService, type ChangedAnswer } from '../batch/upkeep/batch-again.service.js';
import { EventContents, type StoredEvent } from '../events/event-contents.js';
import { ENV, type Env } from '../platform/config/env.js';
import { ReadDatabase } from '../platform/database/read-database.js';
import { invalidField } from '../platform/errors/app-error.js';
import { decodeCursor, encodeCursor } from '../platform/http/listing.js';

/** Changes stored by one statement. */
const CHANGE_PAGE_SIZE = 1_000;

const LISTING = 'list-changes';
const POSITION = /^([1-9]\d{0,15}) (\d{1,10})$/;
const MAX_REF = 2 ** 31 - 1;

/** Keeps what runs found changed, and reads it with the addresses. */
@Injectable()
export class ListChangesService {
  constructor(
    private readonly database: DataSource,
    private readonly reads: ReadDatabase,
    private readonly again: BatchAgainService,
  ) {}

  /** @returns how many */
  async add(tx: EntityManager, batchId: number, changes: AsyncIterable<ChangedAnswer>): Promise<number> {
    let count = 0;
    let page: ChangedAnswer[] = [];
    const write = async () => {
      if (page.length === 0) return;
      await tx.query(
        `INSERT INTO list_changes (batch_id, ref, before_verdict, before_reason, after_verdict, after_reason)
         SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[])`,
        [
          batchId,
          page.map(({ ref }) => ref),
          page.map(({ before }) => before.verdict),
          page.map(({ before }) => before.reason),
          page.map(({ after }) => after.verdict),
          page.map(({ after }) => after.reason),
        ],
      );
      count += page.length;
      page = [];
    };
    for await (const change of changes) if (page.push(change) === CHANGE_PAGE_SIZE) await write();
    await write();
    return count;
  }

  /** By their places. @param after the place behind which to begin */
  private find(batchId: number, after: number, limit: number): Promise<ChangedAnswer[]> {
    return this.reads.query(
      `SELECT ref, json_build_object('verdict', before_verdict, 'reason', before_reason) AS before,
              json_build_object('verdict', after_verdict, 'reason', after_reason) AS after
         FROM list_changes WHERE batch_id = $1 AND ref > $2 ORDER BY ref LIMIT $3`,
      [batchId, after, limit],
    );
  }

  /** The changes of a run from its first one on. */
  async first(batchId: number, limit: number): Promise<object[]> {
    return (await this.read(batchId, -1, limit)).map(({ body }) => body);
  }

  /**
   * @param batchId of the newest run of a list that the caller may read; null: there was none
   * @throws AppError `invalid_input` for a cursor that was not given for this run
   */
  async page(batchId: number | null, cursor: string | undefined, limit: number) {
    const after = cursor === undefined ? -1 : readCursor(cursor, batchId);
    const found = batchId === null ? [] : await this.read(batchId, after, limit + 1);
    const next = found.length > limit ? encodeCursor(LISTING, `${batchId} ${found[limit - 1]!.ref}`) : null;
    return { changes: found.slice(0, limit).map(({ body }) => body), nextCursor: next };
  }

  private async read(batchId: number, after: number, limit: number) {
    const found = await this.find(batchId, after, limit);
    const refs = found.map(({ ref }) => ref);
    const addresses = await this.again.addressesAt(this.database.manager, batchId, refs);
    return found.map(({ ref, before, after: now }) => ({
      ref,
      // Empty, when it was erased since.
      body: { email: addresses.get(ref) ?? '', before, after: now },
    }));
  }
}

/** The run in a cursor is compared and never read: whoever makes one up sees nothing of other lists. */
function readCursor(cursor: string, batchId: number | null): number {
  const [run, ref] = decodeCursor(LISTING, cursor, POSITION).map(Number);
  if (run !== batchId) throw invalidField('cursor', 'is not one of the newest run of this list');
  return Math.min(ref!, MAX_REF);
}

/** The content of `list.changed` beside what is stored of it: its first changes, and where all of them are. */
@Injectable()
export class ListEventContent implements OnModuleInit {
  constructor(
    private readonly contents: EventContents,
    private readonly changes: ListChangesService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  onModuleInit(): void {
    this.contents.register('list.changed', (event, maxResults) => this.make(event, maxResults));
  }

  private async make({ data, batchId }: StoredEvent, maxResults: number): Promise<object> {
    const told = JSON.parse(data) as { readonly list_id: number };
    return {
      ...told,
      changes: maxResults > 0 ? await this.changes.first(batchId!, maxResults) : null,
      changes_url: `${this.env.publicUrl}/api/v1/lists/${told.list_id}/changes`,
    };
  }
}

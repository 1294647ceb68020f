import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { EventContents, type StoredEvent } from '../../events/event-contents.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { ListChanges } from './list-changes.service.js';

/** The content of `list.changed` beside what is stored of it: its first changes, and where all of them are. */
@Injectable()
export class ListEventContent implements OnModuleInit {
  constructor(
    private readonly contents: EventContents,
    private readonly changes: ListChanges,
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

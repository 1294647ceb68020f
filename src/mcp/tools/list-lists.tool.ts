import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { neededFor } from '../../keys/access/audience.js';
import { ListsController } from '../../lists/lists.controller.js';
import { type List, listDetails, ListsService } from '../../lists/lists.service.js';
import { type Tool, type ToolCall, type ToolResult } from './tool.js';
import { count, counts, cursor, id, nextCursor, time } from './tool-schemas.js';

const input = z.object({
  limit: z.int().min(1).max(100).optional().describe('How many at most; 20 if you do not say.'),
  cursor: cursor(),
});

/** A list without its rows. */
export const listFields = {
  list_id: id(),
  batch_id: id(),
  name: z.string(),
  total_emails: count(),
  counts: counts(),
  created_at: time(),
  expires_at: time().nullable(),
};

export function listOf(one: List) {
  return { list_id: one.list.id, ...listDetails(one) };
}

@Injectable()
export class ListListsTool implements Tool<typeof input> {
  readonly name = 'list_lists';
  readonly title = 'Lists of verified addresses';
  readonly description = [
    'Names the lists of verified addresses that this key has, newest first. Every completed batch is a list. Use it to find an earlier list again; for its verdicts use get_list.',
    'A batch that still runs is not there: get_batch_status tells how far it is.',
    'Costs nothing, needs an API key. Returns list_id, name, how many addresses are valid, invalid, risky and unknown, and when the list is deleted.',
  ].join(' ');
  readonly input = input;
  readonly output = z.object({ lists: z.array(z.object(listFields)), next_cursor: nextCursor() });
  readonly needs = neededFor(ListsController, 'list');

  constructor(private readonly lists: ListsService) {}

  async run(page: z.infer<typeof input>, call: ToolCall): Promise<ToolResult> {
    const { items, nextCursor: next } = await this.lists.list(call.requirePrincipal(), page);
    return { lists: items.map(listOf), next_cursor: next, action: items.length > 0 ? 'get_list' : 'none' };
  }
}

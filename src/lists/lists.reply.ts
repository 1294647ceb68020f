import { ApiProperty } from '@nestjs/swagger';
import { FullRow, VerdictCounts } from '../batch/http/batch.reply.js';
import { TIME_OR_NULL, ID_SCHEMA } from '../platform/http/schemas.js';
import { NEXT_CURSOR, PageOf } from '../platform/http/page.js';

/* Replies about lists, for the documents. */

export class ListReply {
  @ApiProperty({ ...ID_SCHEMA, description: "The batch's." })
  readonly id: number;

  @ApiProperty({ description: "The batch's name, or `batch <id>`." })
  readonly name: string;

  @ApiProperty({ ...ID_SCHEMA, description: 'That verified it last: the first one, unless it has a schedule.' })
  readonly batch_id: number;

  @ApiProperty({ type: 'integer' })
  readonly total_emails: number;

  @ApiProperty({ type: VerdictCounts })
  readonly counts: VerdictCounts;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was verified last.' })
  readonly verified_at: string;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'When its addresses are deleted; null while it has a schedule that is enabled.',
  })
  readonly expires_at: string | null;

  @ApiProperty({ format: 'uri' })
  readonly download_url: string;
}

export class ListWithRowsReply extends ListReply {
  @ApiProperty({ type: [FullRow], description: 'The first rows, in the order of submission.' })
  readonly results: readonly FullRow[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

export class ListPageReply extends PageOf(ListReply, 'lists') {}

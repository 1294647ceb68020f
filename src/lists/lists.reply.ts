import { ApiProperty } from '@nestjs/swagger';
import { BATCH_ID_SCHEMA } from '../batch/http/batch-id.js';
import { FullRow, VerdictCounts } from '../batch/http/batch.reply.js';
import { NEXT_CURSOR } from '../platform/http/page.js';

/* Replies about lists, for the documents. */

export class ListReply {
  @ApiProperty({ ...BATCH_ID_SCHEMA, description: "The batch's." })
  readonly id: number;

  @ApiProperty({ description: "The batch's name, or `batch <id>`." })
  readonly name: string;

  @ApiProperty(BATCH_ID_SCHEMA)
  readonly batch_id: number;

  @ApiProperty({ type: 'integer' })
  readonly total_emails: number;

  @ApiProperty({ type: VerdictCounts })
  readonly counts: VerdictCounts;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When its addresses are deleted.' })
  readonly expires_at: string;

  @ApiProperty({ format: 'uri' })
  readonly download_url: string;
}

export class ListWithRowsReply extends ListReply {
  @ApiProperty({ type: [FullRow], description: 'The first rows, in the order of submission.' })
  readonly results: readonly FullRow[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

export class ListPageReply {
  @ApiProperty({ type: [ListReply] })
  readonly lists: readonly ListReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

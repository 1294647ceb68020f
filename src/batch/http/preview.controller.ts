import { Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import type { StreamedRequest } from '../../platform/http/caller-stream.js';
import { field, Reply, replyOf } from '../../platform/http/reply.js';
import { DELIMITER_NAMES } from '../formats/sent-body.js';
import { PREVIEWED, sentPreview, settingsOf } from '../intake/body.js';
import { PreviewBatchQuery } from '../intake/submit-query.dto.js';

class SheetReply extends Reply({
  name: field.text(),
  is_hidden: field.boolean(),
}) {}

class BatchPreviewReply extends Reply({
  content_type: field.text('As what the whole file is to be sent.'),
  charset: field.textOrNull('Of a text.'),
  delimiter: field.oneOfOrNull(DELIMITER_NAMES, 'Of a CSV.'),
  sheets: field.of<readonly SheetReply[] | null>({
    type: [SheetReply],
    nullable: true,
    description: 'Of an Excel workbook; null for a text.',
  }),
  sheet: field.textOrNull(
    'The one that is read; null for a text, and when `sheet` must name the one with the addresses.',
  ),
  has_header: field.boolean('Whether the first row has names.'),
  columns: field.texts('The names of the columns; one without a name is called by its number.'),
  email_column: field.countOrNull(
    'The number of the column with the addresses, from 1; null when `email_column` must name it.',
  ),
  candidates: field.of<readonly number[]>({
    type: 'array',
    items: { type: 'integer' },
    description: 'The numbers of the columns with addresses.',
  }),
  rows: field.of<readonly (readonly string[])[]>({
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    description: 'The first 20 rows behind the names; long cells are shortened.',
  }),
}) {}

@Routes('api/v1/verify/preview', { tag: 'Batch', for: 'full' })
export class PreviewController {
  @Route.post('', 'previewBatch', 'How a table would be read: its columns, and the one with the addresses', {
    description:
      'Nothing is kept, verified or charged. Of a text its first 64 KiB are read; an Excel workbook is sent as a whole.',
    needs: 'batches',
    idempotencyKey: false,
    consumes: [...PREVIEWED],
    body: { required: true, schema: { type: 'string' } },
    ok: BatchPreviewReply,
  })
  @RouteConfig({ streamsBody: true })
  async preview(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest & StreamedRequest,
    @Query() query: PreviewBatchQuery,
  ) {
    const { sheets, ...read } = await sentPreview(request, caller, settingsOf(query));
    return replyOf(BatchPreviewReply, { ...read, sheets: sheets && sheets.map((sheet) => replyOf(SheetReply, sheet)) });
  }
}

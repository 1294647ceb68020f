import { Req, Res } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, type CallerRequest } from '../../keys/access/caller.js';
import { getAccountId, type Principal } from '../../keys/access/principal.js';
import { onReplyEnd } from '../../platform/http/reply-end.js';
import { Presenters } from '../../presenting/presenters.js';
import { ADDRESSES } from '../model/batch-kind.js';
import { BatchService } from '../batch.service.js';
import { EventStream, BatchStreamsService } from '../batch-streams.service.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { IdParam } from '../../platform/http/id-params.js';

const TYPE = 'text/event-stream';
/** nginx would keep events back until its buffer is full. */
const HEADERS = { 'content-type': TYPE, 'x-accel-buffering': 'no' };

/** Tells how far a batch is while it runs, over one connection. */
@Routes('api/v1/verify/batch', { tag: 'Batch' })
export class BatchEventsController {
  constructor(
    private readonly batches: BatchService,
    private readonly streams: BatchStreamsService,
    private readonly presenters: Presenters,
  ) {}

  @Route.get(':id/events', 'followBatch', 'Follow a batch by server-sent events', {
    needs: 'batches',
    ok: {
      description:
        'Server-sent events: `progress` until the end, then `completed`, `failed`, `cancelled` or `deleted`.',
      content: { [TYPE]: { schema: { type: 'string' } } },
    },
    noContent: 'The caller has seen the end: nothing will follow.',
    errors: ['too_many_streams'],
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    schema: { type: 'string', maxLength: 100 },
    description: 'The last event that the caller has: it is not sent again.',
  })
  async follow(
    @Caller() caller: Principal,
    @IdParam('batch_not_found') id: number,
    @Req() request: FastifyRequest & CallerRequest,
    @Res() reply: FastifyReply,
  ) {
    const batch = await this.batches.get(caller, ADDRESSES, id);
    const accountId = getAccountId(caller);
    const lastEventId = request.headers['last-event-id']?.toString();
    if (this.streams.hasSeenEnd({ batch, lastEventId })) return void reply.status(204).send();
    if (request.method === 'HEAD') return void reply.headers(HEADERS).send();
    this.streams.checkRoom(accountId);
    reply.hijack();
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...HEADERS }))
      if (value !== undefined) reply.raw.setHeader(name, value);
    const presenter = this.presenters.for(caller);
    const present = (status: object) => presenter.body(status, request.id);
    const close = this.streams.begin(new EventStream(reply.raw), {
      accountId,
      batch,
      lastEventId,
      present,
      checkAccess: request.checkAccess!,
    });
    onReplyEnd(request.raw, reply.raw, close);
  }
}

import { Inject, Req, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, type CallerRequest } from '../keys/access/caller.js';
import { getAccountId, type Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { tableFile } from '../platform/http/table-file.js';
import { ExportLines } from './export-lines.js';
import { Route, Routes } from '../keys/route.decorator.js';

/** The longest that the export of a revoked key goes on. */
const CHECK_EVERY_MS = 15_000;

@Routes('api/v1/export', { tag: 'Privacy', for: 'full' })
export class ExportController {
  constructor(
    private readonly all: ExportLines,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Route.get('', 'exportAccount', 'All that the account has in the mode of the key, as one file', {
    needs: ['batches', 'results', 'lists', 'finder', 'webhooks', 'keys', 'credits', 'suppressions', 'audit'],
    produces: ['application/x-ndjson'],
    ok: {
      schema: { type: 'string' },
      description: 'A line a thing, each with its `type`; the last one is of type `end`.',
    },
    errors: ['export_in_progress'],
  })
  async export(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest & CallerRequest,
    @Res({ passthrough: true }) { raw }: FastifyReply,
  ): Promise<StreamableFile> {
    // HEAD makes no rows, and takes no turn.
    const endTurn = request.method === 'HEAD' ? nothing : await this.all.takeTurn(getAccountId(caller));
    // A turn does not outlive its reader.
    if (raw.closed || raw.destroyed) await endTurn();
    else raw.once('close', () => void endTurn());
    const rows = this.whileAllowed(this.lines(caller, request.id, endTurn), request);
    return tableFile({ name: 'export', format: 'ndjson', columns: [], rows });
  }

  /** An error in the middle destroys the reply: its reader sees that the file is not whole. */
  private async *whileAllowed(lines: AsyncIterable<object>, request: CallerRequest): AsyncGenerator<object, void> {
    let checkedAt = this.clock.now();
    for await (const line of lines) {
      if (this.clock.now() - checkedAt >= CHECK_EVERY_MS) {
        await request.checkAccess!();
        checkedAt = this.clock.now();
      }
      yield line;
    }
  }

  /** The last line tells how many there are: a file without it is not whole. Whoever has it finds the turn ended. */
  private async *lines(
    caller: Principal,
    requestId: string,
    endTurn: () => Promise<void>,
  ): AsyncGenerator<object, void> {
    let lines = 0;
    for await (const line of this.all.of(caller, requestId)) {
      lines += 1;
      yield line;
    }
    await endTurn();
    yield { type: 'end', lines };
  }
}

async function nothing(): Promise<void> {}

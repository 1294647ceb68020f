import { Controller, Get, Inject, Req, type StreamableFile } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RequireFullAccount } from '../../keys/access/audience.js';
import { Caller, type CallerRequest } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { checkPermission } from '../../keys/scope/route-permissions.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { tableFile } from '../../platform/http/files/table-file.js';
import { ExportedAccount } from './exported-account.service.js';
import { ExportedRecords } from './exported-records.service.js';
import { ExportedWork } from './exported-work.service.js';

const ROUTE = 'GET /api/v1/export';
/** The longest that the export of a revoked key goes on. */
const CHECK_EVERY_MS = 15_000;

@ApiTags('Privacy')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/export')
export class ExportController {
  constructor(
    private readonly account: ExportedAccount,
    private readonly work: ExportedWork,
    private readonly records: ExportedRecords,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get()
  @ApiProduces('application/x-ndjson')
  @ApiOkResponse({
    schema: { type: 'string' },
    description: 'A line a thing, each with its `type`; the last one is of type `end`.',
  })
  @ApiOperation({
    operationId: 'exportAccount',
    summary: 'All that the account has in the mode of the key, as one file',
  })
  export(@Caller() caller: Principal, @Req() request: FastifyRequest & CallerRequest): StreamableFile {
    const rows = this.whileAllowed(this.lines(caller, request.id), request);
    return tableFile({ name: 'export', format: 'ndjson', columns: [], rows });
  }

  /** An error in the middle destroys the reply: its reader sees that the file is not whole. */
  private async *whileAllowed(lines: AsyncIterable<object>, request: CallerRequest): AsyncGenerator<object, void> {
    let checkedAt = this.clock.now();
    for await (const line of lines) {
      if (this.clock.now() - checkedAt >= CHECK_EVERY_MS) {
        const { scope } = await request.identify!();
        checkPermission(scope.permissions, ROUTE);
        checkedAt = this.clock.now();
      }
      yield line;
    }
  }

  /** The last line tells how many there are: a file without it is not whole. */
  private async *lines(caller: Principal, requestId: string): AsyncGenerator<object, void> {
    let lines = 0;
    for (const part of [this.account.lines(caller), this.work.lines(caller, requestId), this.records.lines(caller)])
      for await (const line of part) {
        lines += 1;
        yield line;
      }
    yield { type: 'end', lines };
  }
}

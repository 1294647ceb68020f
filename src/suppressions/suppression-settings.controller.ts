import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { SuppressionSettingsRequest } from './suppressions.dto.js';
import { SuppressionSettingsReply } from './suppression.reply.js';
import { OwnSuppressionsService, SuppressionsService } from './suppressions.service.js';

@ApiTags('Suppressions')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/suppression-settings')
export class SuppressionSettingsController {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly own: OwnSuppressionsService,
  ) {}

  @Get()
  @ApiOkResponse({ type: SuppressionSettingsReply })
  @ApiOperation({ operationId: 'getSuppressionSettings', summary: 'What the list does beside hiding from the finder' })
  async get(@Caller() caller: Principal): Promise<SuppressionSettingsReply> {
    return { report_in_verify: await this.suppressions.reportsInVerify(ownerOf(caller)) };
  }

  @Patch()
  @ApiOkResponse({ type: SuppressionSettingsReply })
  @ApiOperation({ operationId: 'changeSuppressionSettings', summary: 'Choose whether verifications report it' })
  async change(
    @Caller() caller: Principal,
    @Body() { report_in_verify }: SuppressionSettingsRequest,
  ): Promise<SuppressionSettingsReply> {
    await this.own.setReportsInVerify(caller, report_in_verify);
    return { report_in_verify };
  }
}

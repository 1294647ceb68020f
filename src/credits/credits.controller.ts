import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller } from '../keys/caller.js';
import type { Principal } from '../keys/principal.js';
import { Present } from '../presenting/present.decorator.js';
import { CreditsService, type DailyStanding } from './credits.service.js';

@ApiTags('Credits')
@ApiBearerAuth()
@Controller('api/v1/credits')
export class CreditsController {
  constructor(private readonly credits: CreditsService) {}

  @Get()
  @Present('dailyCredits')
  @ApiOperation({ summary: 'The credits that are left' })
  standing(@Caller() caller: Principal): Promise<DailyStanding> {
    return this.credits.getStanding(caller);
  }
}

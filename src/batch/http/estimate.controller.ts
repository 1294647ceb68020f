import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { PresentBody } from '../../presenting/present.decorator.js';
import { EstimateRequest } from './estimate.dto.js';
import { estimateBody, EstimateReply } from './estimate.reply.js';
import { EstimateService } from '../estimate.service.js';

@ApiTags('Credits')
@ApiBearerAuth()
@Controller('api/v1/estimate')
export class EstimateController {
  constructor(private readonly estimates: EstimateService) {}

  @Post()
  @HttpCode(200)
  @PresentBody(EstimateReply)
  @ApiIdempotencyKey()
  @ApiOperation({ operationId: 'estimate', summary: 'What verifying addresses would cost; nothing is verified' })
  async estimate(@Caller() caller: Principal, @Body() { emails, count }: EstimateRequest): Promise<EstimateReply> {
    const asked = emails ? { emails } : count ? { count } : null;
    if (asked === null) throw invalidField('emails', 'or count must be there');
    const estimate = await this.estimates.estimate(caller, asked);
    return {
      ...estimateBody(estimate),
      // The limit of a batch counts repeated addresses too.
      batches: Math.ceil(estimate.addresses / caller.policy.batchSize),
      credits_remaining: estimate.remaining!,
      sufficient: estimate.sufficient!,
    };
  }
}

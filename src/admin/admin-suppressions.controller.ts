import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireAdmin } from '../keys/audience.js';
import { PageQuery } from '../platform/http/page.js';
import { hashesOf, SuppressRequest } from '../suppressions/suppression-input.js';
import {
  type SuppressedReply,
  suppressedReply,
  type SuppressionPageReply,
  suppressionPageReply,
} from '../suppressions/suppression-reply.js';
import { type Actor, Administrator } from './actor.js';
import { SuppressionAdministrationService } from './suppression-administration.service.js';

@RequireAdmin()
@ApiExcludeController()
@Controller('admin/v1/suppressions')
export class AdminSuppressionsController {
  constructor(private readonly suppressions: SuppressionAdministrationService) {}

  @Post()
  @HttpCode(201)
  async add(@Administrator() actor: Actor, @Body() request: SuppressRequest): Promise<SuppressedReply> {
    return suppressedReply(await this.suppressions.add(actor, hashesOf(request), request.reason ?? null));
  }

  @Get()
  async list(@Query() query: PageQuery): Promise<SuppressionPageReply> {
    return suppressionPageReply(await this.suppressions.list(query));
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Administrator() actor: Actor, @Param('id') id: string): Promise<void> {
    await this.suppressions.remove(actor, id);
  }
}

import { Body, Controller, HttpCode, Ip, Post, Req } from '@nestjs/common';
import { ApiExtension, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { Public } from '../platform/http/public.decorator.js';
import { FullVerificationReply } from '../presenting/verification.reply.js';
import { TryRequest } from './try.dto.js';
import { TryService } from './try.service.js';

@ApiTags('Try')
@ApiExtension('x-audience', 'full')
@Controller('try')
export class TryController {
  constructor(private readonly tries: TryService) {}

  @Post()
  @Public()
  @HttpCode(200)
  @ApiErrors('rate_limited')
  @ApiOperation({ operationId: 'tryEmail', summary: 'Try an address in the simulated mail world; no key is needed' })
  @ApiOkResponse({ type: FullVerificationReply })
  try(@Body() { email }: TryRequest, @Ip() clientAddress: string, @Req() { id }: { id: string }): Promise<object> {
    return this.tries.verify(email, clientAddress, id);
  }
}

import { Body, Controller, Ip, Req } from '@nestjs/common';
import { ApiExtension, ApiTags } from '@nestjs/swagger';
import { FullVerificationReply } from '../presenting/verification.reply.js';
import { TryRequest } from './try.dto.js';
import { TryService } from './try.service.js';
import { PublicRoute } from '../keys/route.decorator.js';

@ApiTags('Try')
@ApiExtension('x-audience', 'full')
@Controller('try')
export class TryController {
  constructor(private readonly tries: TryService) {}

  @PublicRoute.post('', 'tryEmail', 'Try an address in the simulated mail world; no key is needed', {
    ok: FullVerificationReply,
    errors: ['rate_limited'],
  })
  try(@Body() { email }: TryRequest, @Ip() clientAddress: string, @Req() { id }: { id: string }): Promise<object> {
    return this.tries.verify(email, clientAddress, id);
  }
}

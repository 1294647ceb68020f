import { Body, Ip, Req } from '@nestjs/common';
import { FullVerificationReply } from '../presenting/verification.reply.js';
import { TryService } from './try.service.js';
import { PublicRoute, PublicRoutes } from '../keys/route.decorator.js';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

export class TryRequest {
  /** Any text: a malformed address gets a verdict, not an error. */
  @ApiProperty({ maxLength: 1000, description: 'A word in the local part decides the verdict, such as `jane+full`.' })
  @IsString()
  @MaxLength(1000)
  readonly email: string;
}

@PublicRoutes('try', { tag: 'Try', only: 'full' })
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

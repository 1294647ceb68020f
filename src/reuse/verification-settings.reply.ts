import { ApiProperty } from '@nestjs/swagger';

export class VerificationSettingsReply {
  @ApiProperty({
    description:
      'Whether verdicts may be kept for `reuse_days`; they are kept from the first request that asks for it.',
  })
  readonly reuse: boolean;
}

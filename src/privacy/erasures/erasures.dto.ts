import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';

export class EraseRequest {
  @ApiProperty({
    format: 'email',
    maxLength: 1000,
    description: 'In any spelling; with another `+tag` it is another address.',
  })
  @IsString()
  @MaxLength(1000)
  readonly email: string;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description:
      'The address goes onto the suppression list, which has its hash alone. Otherwise it leaves that list too.',
  })
  @IsOptional()
  @IsBoolean()
  readonly suppress?: boolean | null;
}

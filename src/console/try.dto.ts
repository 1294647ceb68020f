import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

export class TryRequest {
  /** Any text: a malformed address gets a verdict, not an error. */
  @ApiProperty({ maxLength: 1000, description: 'A word in the local part decides the verdict, such as `jane+full`.' })
  @IsString()
  @MaxLength(1000)
  readonly email: string;
}

import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

/** PostgreSQL's text holds every character but this one. */
const WITHOUT_NUL = /^[^\0]*$/;
const message = 'must not contain NUL characters';

export class RegistrationRequest {
  @ApiPropertyOptional({ type: String, maxLength: 80, description: "The agent's name." })
  @IsOptional()
  @IsString()
  @MaxLength(80)
  @Matches(WITHOUT_NUL, { message })
  readonly name?: string | null;

  @ApiPropertyOptional({ type: String, maxLength: 500, description: 'What the agent verifies addresses for.' })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  @Matches(WITHOUT_NUL, { message })
  readonly purpose?: string | null;

  @ApiPropertyOptional({ type: String, maxLength: 255, description: 'An email address or a URL of the operator.' })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @Matches(WITHOUT_NUL, { message })
  readonly contact?: string | null;
}

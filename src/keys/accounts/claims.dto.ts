import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { OptionalText } from '../../platform/http/text.js';
import { CeilingFields, OptionalTime } from '../key-fields.js';

/** Without a ceiling the agent spends nothing of the account. */
export class ClaimAgentRequest extends CeilingFields {
  @ApiPropertyOptional({
    type: String,
    maxLength: 100,
    description: 'The `claim_token` that the agent got with its key.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  readonly claim_token?: string | null;

  @ApiPropertyOptional({ type: String, maxLength: 100, description: 'In its place: the key of the agent itself.' })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  readonly agent_key?: string | null;

  @OptionalText(80, 'A name for the key; the one that the agent gave itself when left out.')
  readonly name?: string | null;

  @OptionalTime('When the key expires from now on; when left out, when the key that claims it does.')
  readonly expires_at?: string | null;
}

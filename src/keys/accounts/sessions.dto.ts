import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

export class OpenSessionRequest {
  @IsString()
  @MaxLength(200)
  readonly api_key: string;
}

export class CloseSessionQuery {
  /** `true` ends every session of the key, on all machines. */
  @IsOptional()
  @IsIn(['true', 'false'])
  readonly everywhere?: string;
}

import { IsOptional, IsString, MaxLength } from 'class-validator';

/** Who wants to be left alone: by an address of the domain, or by the name of a mail host. */
export class OptOutRequest {
  @IsOptional()
  @IsString()
  @MaxLength(320)
  readonly email?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  readonly mail_host?: string | null;
}

export class ConfirmRequest {
  @IsString()
  @MaxLength(100)
  readonly token: string;
}

/** The query of a mailed link. */
export class ConfirmQuery {
  @IsOptional()
  @IsString()
  @MaxLength(100)
  readonly token?: string;
}

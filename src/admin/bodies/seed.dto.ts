import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUrl, Matches, MaxLength } from 'class-validator';
import { SEED_PROVIDERS } from '../../deliverability/placement/seeds/seed.js';
import { SECURITIES, type Security } from '../../deliverability/placement/seeds/mailbox-access.js';
import type { SeedCredentials } from '../../deliverability/placement/seeds/seed-credentials.js';
import type { NewSeed } from '../../deliverability/placement/seeds/seed-register.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { OptionalText, OptionalInteger, OptionalOneOf } from '../../platform/http/fields.js';

const ADDRESS = /^[^\s<>@"\0\p{Cs}]{1,64}@[^\s<>@"\0\p{Cs}]{1,253}$/u;
const HOST = /^[a-zA-Z0-9]([a-zA-Z0-9.:-]{0,251}[a-zA-Z0-9])?$/;
const AUTHSERV_ID = /^(\*\.)?[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?$/;

/** What opens a mailbox; nobody is shown it again. */
export class SeedCredentialsRequest {
  @OptionalText(1_000, 'Of the mailbox, or better one that the provider gives for this program alone ("app password").')
  readonly password?: string | null;

  @OptionalText(8_000, 'Instead of a password: a refresh token of OAuth 2, for a login by XOAUTH2.')
  readonly refresh_token?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    maxLength: 500,
    nullable: true,
    description: 'With a refresh token: where access tokens are given out.',
  })
  @IsOptional()
  @MaxLength(500)
  @IsUrl({ protocols: ['https'], require_protocol: true, require_tld: false })
  readonly token_url?: string | null;

  @OptionalText(500, 'With a refresh token: the client that it was given to.')
  readonly client_id?: string | null;

  @OptionalText(1_000, 'With a refresh token: the secret of that client, if it has one.')
  readonly client_secret?: string | null;
}

export class SeedRequest extends SeedCredentialsRequest {
  @ApiProperty({ enum: SEED_PROVIDERS, description: 'A row of `config/seed-providers.json`.' })
  @IsIn(SEED_PROVIDERS)
  readonly provider: string;

  @ApiProperty({ format: 'email', maxLength: 254, description: 'Where tests are sent to.' })
  @MaxLength(254)
  @Matches(ADDRESS, { message: 'address must be an email address' })
  readonly address: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 253,
    description: "The IMAP server; the provider's own by default.",
  })
  @IsOptional()
  @Matches(HOST, { message: 'host must be a name or an address' })
  readonly host?: string | null;

  @OptionalInteger({ minimum: 1, maximum: 65_535, nullable: true, description: '993 by default.' })
  readonly port?: number | null;

  @OptionalOneOf(SECURITIES, {
    default: 'tls',
    nullable: true,
    description:
      'tls: from the first byte. starttls: before anything secret is said. none: on loopback only, where `IMAP_ALLOW_PRIVATE` allows it.',
  })
  readonly security?: Security | null;

  @OptionalText(254, 'The name to log in with; the address by default.')
  readonly login?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 255,
    description:
      'Whose `Authentication-Results` are believed besides those of the provider: a name, or `*.` and a name for all below it.',
  })
  @IsOptional()
  @Matches(AUTHSERV_ID, { message: 'authserv_id must be a name, or *. and a name' })
  readonly authserv_id?: string | null;
}

/** @throws AppError `invalid_input` unless there is just one of a password and a refresh token, with all that it needs */
export function credentialsOf(request: SeedCredentialsRequest): SeedCredentials {
  const { password, refresh_token, token_url, client_id, client_secret } = request;
  const isOauth = refresh_token != null && refresh_token !== '';
  if (password != null && password !== '') {
    if (isOauth) throw invalidField('refresh_token', 'is not used beside a password');
    return { kind: 'password', password };
  }
  if (!isOauth) throw invalidField('password', 'or a refresh_token is needed');
  if (token_url == null) throw invalidField('token_url', 'is needed with a refresh_token');
  if (client_id == null) throw invalidField('client_id', 'is needed with a refresh_token');
  return {
    kind: 'oauth2',
    tokenUrl: token_url,
    clientId: client_id,
    clientSecret: client_secret ?? null,
    refreshToken: refresh_token,
  };
}

export function newSeedOf(request: SeedRequest): NewSeed {
  const { provider, address, host, port, security, login, authserv_id } = request;
  return {
    provider,
    address: address.toLowerCase(),
    host: host?.toLowerCase() ?? null,
    port: port ?? null,
    security: security ?? 'tls',
    login: login ?? address,
    authservId: authserv_id?.toLowerCase() ?? null,
    credentials: credentialsOf(request),
  };
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { OptionalText, OptionalTexts } from '../platform/http/fields.js';
import { AppError, type FieldError } from '../platform/errors/app-error.js';
import { addressHash } from './suppression-hash.js';

const MAX_ADDRESSES = 1_000;

export class SuppressRequest {
  @ApiPropertyOptional({ type: String, format: 'email', maxLength: 1000 })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  readonly email?: string | null;

  @OptionalTexts({ type: 'string', format: 'email', maxLength: 1000 }, MAX_ADDRESSES, {
    description: 'Several at once.',
  })
  @IsString({ each: true })
  @MaxLength(1000, { each: true })
  readonly emails?: readonly string[] | null;

  @OptionalTexts({ type: 'string', pattern: '^[0-9a-fA-F]{64}$' }, MAX_ADDRESSES, {
    description:
      'Hashes instead of addresses: SHA-256 in hexadecimal of the address in lower case, without its `+tag`.',
  })
  @Matches(/^[0-9a-f]{64}$/i, { each: true, message: 'sha256 must hold 64 hexadecimal digits each' })
  readonly sha256?: readonly string[] | null;

  @OptionalText(500, 'For your own records.')
  readonly reason?: string | null;
}

export class SuppressionSettingsRequest {
  @ApiProperty({ description: 'Verifications say `suppressed` for each address.' })
  @IsBoolean()
  readonly report_in_verify: boolean;
}

/**
 * The hashes that a request names, each once. @throws AppError `invalid_input` for a text that is no address, or without any
 * address
 */
export function hashesOf({ email, emails, sha256 }: SuppressRequest): Buffer[] {
  const named = [
    ...(email == null ? [] : [['email', email] as const]),
    ...(emails ?? []).map((text, i) => [`emails[${i}]`, text] as const),
  ];
  const hashed = named.map(([field, text]) => ({ field, hash: addressHash(text) }));
  const wrong = hashed.filter(({ hash }) => hash === null);
  const fields = wrong.map(({ field }): FieldError => ({ field, error: `${field} must be an address` }));
  if (fields.length > 0) throw new AppError('invalid_input', { fields });
  const all = [...hashed.map(({ hash }) => hash!), ...(sha256 ?? []).map((text) => Buffer.from(text, 'hex'))];
  if (all.length === 0)
    throw new AppError('invalid_input', {
      fields: [{ field: 'email', error: 'email, emails or sha256 must be given' }],
    });
  return [...new Map(all.map((hash) => [hash.toString('hex'), hash])).values()];
}

import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { readTarget, type TargetProblem } from '../../mail-dns/targets.js';
import { AppError, type FieldError, invalidField } from '../../platform/errors/app-error.js';

/** Selectors, addresses or areas that somebody may name of one domain. */
export const MAX_NAMED = 20;
const SELECTOR = '^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9_])?$';

interface Documented {
  readonly description: string;
  /** Whether null is documented, which takes away what was chosen before. */
  readonly nullable?: true;
}

/** Selectors of the DKIM keys of a domain. */
export const OptionalSelectors = (documented: Documented): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', pattern: SELECTOR, maxLength: 63 },
      maxItems: MAX_NAMED,
      ...documented,
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_NAMED),
    Matches(new RegExp(SELECTOR), { each: true, message: '$property must be names such as s1' }),
  );

/** Addresses that send the mail of a domain; `readSenders` says which of them are none. */
export const OptionalSenders = (documented: Partial<Documented> = {}): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 100 },
      maxItems: MAX_NAMED,
      description: 'IPv4 and IPv6 addresses that send its mail.',
      ...documented,
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_NAMED),
    IsString({ each: true }),
    MaxLength(100, { each: true }),
  );

const PROBLEMS: Readonly<Record<TargetProblem, string>> = {
  malformed: 'must be a domain such as example.com',
  private: 'must be a domain such as example.com',
  public_suffix: 'is a domain under which anybody can register',
};

/** The domain in A-labels. @throws AppError `invalid_input` */
export function readDomain(text: string, field = 'domain'): string {
  const target = readTarget(text);
  if (typeof target === 'string') throw invalidField(field, PROBLEMS[target]);
  if (target.kind !== 'domain') throw invalidField(field, PROBLEMS.malformed);
  return target.value;
}

/**
 * Addresses that send a domain's mail, each once, in their short form.
 * @param isSimulated addresses for documentation are senders too
 * @throws AppError `invalid_input`, naming each text that is none
 */
export function readSenders(
  texts: readonly string[],
  isSimulated: boolean,
  field = 'sending_addresses',
): readonly string[] {
  const fields: FieldError[] = [];
  const read = texts.flatMap((text, index) => {
    const target = readTarget(text, isSimulated);
    if (typeof target !== 'string' && target.kind !== 'domain') return [target.value];
    const name = `${field}[${index}]`;
    fields.push({ field: name, error: `${name} must be a public IP address` });
    return [];
  });
  if (fields.length > 0) throw new AppError('invalid_input', { fields });
  return [...new Set(read)];
}

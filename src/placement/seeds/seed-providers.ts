import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { readRows } from '../../platform/config/config-file.js';

/** A name, or `*.` and a name, which is every name below it. */
export const AUTHSERV_ID = /^(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** A row of `config/seed-providers.json`: where a provider's mailboxes are read, and whose words on authentication are its own. */
export class SeedProvider {
  @IsString()
  readonly title: string;

  /** Null: each seed says it. */
  @IsOptional()
  @Matches(HOST)
  readonly host: string | null;

  @IsInt()
  @Min(1)
  @Max(65_535)
  readonly port: number;

  @IsArray()
  @ArrayMaxSize(10)
  @Matches(AUTHSERV_ID, { each: true })
  readonly authservIds: readonly string[];

  /** It names no server in its `Authentication-Results`. */
  @IsBoolean()
  readonly isUnnamed: boolean;

  @IsString()
  readonly why: string;
}

/** @throws ConfigurationError naming row and field that are wrong */
export function readSeedProviders(directory?: string): ReadonlyMap<string, SeedProvider> {
  return readRows('seed-providers.json', SeedProvider, directory);
}

/** As administrators name them. */
export const SEED_PROVIDERS: readonly string[] = [...readSeedProviders().keys()];

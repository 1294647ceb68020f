import { readFileSync, statSync } from 'node:fs';
import { ConfigurationError } from './configuration-error.js';

/** Variables that hold a secret, or a text of many lines: each may stand in a file, named by the same variable with `_FILE`, as orchestrators mount them. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'MAIL_SMTP_URL',
  'SECRETS_KEY',
  'SPAMHAUS_DQS_KEY',
  'ABUSIX_KEY',
  'SPAMRATS_KEY',
  'INBOUND_TLS_CERT',
  'INBOUND_TLS_KEY',
  'RSPAMD_PASSWORD',
  'MAILSONDE_KEY',
  'MAILSONDE_ADMIN_KEY',
] as const;

const MAX_BYTES = 65_536;

/**
 * Reads the secrets that stand in files.
 * @returns their variables with what the files say, without spaces and line ends around it
 * @throws ConfigurationError naming the variable and the file, never what it holds
 */
export function readSecretFiles(source: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    SECRETS.flatMap((name) => {
      const variable = `${name}_FILE`;
      const path = source[variable]?.trim();
      if (!path) return [];
      if (source[name]?.trim()) throw new ConfigurationError(variable, path, `either ${name} or ${variable}`);
      return [[name, readSecret(variable, path)]];
    }),
  );
}

function readSecret(variable: string, path: string): string {
  let text = '';
  try {
    if (statSync(path).size <= MAX_BYTES) text = readFileSync(path, 'utf8').trim();
  } catch {
    throw new ConfigurationError(variable, path, 'a file that can be read');
  }
  if (text === '') throw new ConfigurationError(variable, path, `a file with a text of at most ${MAX_BYTES} bytes`);
  return text;
}

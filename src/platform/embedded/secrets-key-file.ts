import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { explained, prepareDataDirectory } from './data-directory.js';

const FILE = 'secrets.key';

/**
 * The `SECRETS_KEY` of a machine where none is set: made when it is first needed, readable by its owner alone.
 * @throws ConfigurationError where it cannot be read or made
 */
export async function readSecretsKey(dataDir: string): Promise<string> {
  try {
    return await readOrMakeKey(dataDir);
  } catch (error) {
    throw explained(dataDir, error);
  }
}

/** The same without making one; null: none was made here. @throws ConfigurationError where it cannot be read */
export async function findSecretsKey(dataDir: string): Promise<string | null> {
  try {
    return await readKey(join(dataDir, FILE));
  } catch (error) {
    throw explained(dataDir, error);
  }
}

async function readOrMakeKey(dataDir: string): Promise<string> {
  const path = join(dataDir, FILE);
  const known = await readKey(path);
  if (known !== null) return known;
  prepareDataDirectory(dataDir);
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  // When two processes start at once the first one's key stays, and no process reads half of a key.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readKey(path))!;
}

async function readKey(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

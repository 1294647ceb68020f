import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigurationError } from '../config/configuration-error.js';

/** Makes `DATA_DIR` where it is missing, and tries to make a file in it. @throws ConfigurationError */
export function prepareDataDirectory(dataDir: string): void {
  try {
    makeDirectory(resolve(dataDir));
    rmdirSync(mkdtempSync(join(dataDir, 'try-')));
  } catch (error) {
    throw explained(dataDir, error);
  }
}

/** Node's own `recursive` never comes to an end below /proc, where making a folder in an existing one fails with ENOENT. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // Another copy of the service was quicker.
  }
}

/** Turns a refusal of the file system below `DATA_DIR` into a line that says what to do; returns every other error unchanged. */
export function explained(dataDir: string, error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === undefined || path === undefined) return error;
  const there = nearestThere(path);
  if (code === 'ENOTDIR') return refusal(dataDir, `a directory (${there} is a file)`);
  const uid = process.getuid?.();
  if ((code === 'EACCES' || code === 'EPERM') && uid !== 0 && statSync(there).uid !== uid)
    return foreignFiles(dataDir, there, `sudo chown -R ${uid} ${resolve(dataDir)}`);
  return refusal(dataDir, `a directory that can be made and written to (${code} at ${path})`);
}

/** @param remedy the command that puts it right */
export function foreignFiles(dataDir: string, path: string, remedy: string): ConfigurationError {
  const owner = statSync(path).uid;
  return refusal(
    dataDir,
    `a directory whose files are of the user that works with them, and ${path} belongs to user ${owner}. Run "${remedy}", or name another DATA_DIR`,
  );
}

/** @param mode of the path, which PostgreSQL does not take */
export function openFiles(dataDir: string, path: string, mode: number): ConfigurationError {
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  return refusal(
    dataDir,
    `a directory that PostgreSQL accepts, and PostgreSQL refuses ${path} because its owner lacks access or other users have it (mode ${octal}). Run "chmod 700 ${path}", or set another DATA_DIR`,
  );
}

function refusal(dataDir: string, allowed: string): ConfigurationError {
  return new ConfigurationError('DATA_DIR', dataDir, allowed);
}

/** The path, or its nearest existing parent that we may see. */
function nearestThere(path: string): string {
  try {
    statSync(path);
    return path;
  } catch {
    return nearestThere(dirname(path));
  }
}

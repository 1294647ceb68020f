import { readFileSync } from 'node:fs';

/** Files and sockets that this process may open; null where the system has no file that says so. */
export function maxOpenFiles(limits = '/proc/self/limits'): number | null {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(limits, 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** Connections to mail hosts that so many files leave room for: callers, PostgreSQL, Redis, the DNS and files have the other half. */
export function connectionsWithin(wanted: number, files: number | null): number {
  return files === null ? wanted : Math.max(1, Math.min(wanted, Math.floor(files / 2)));
}

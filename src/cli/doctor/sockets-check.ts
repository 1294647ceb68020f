import { connectionsWithin } from '../../verify/ports/node-ports.js';
import { type CheckResult, fail, pass, skipped } from './check-result.js';

/** Whether a process may open as many connections to mail hosts as it is told to. */
export function examineSockets(wanted: number, files: number | null): CheckResult {
  if (files === null) return skipped('sockets', 'this system does not say how many files a process may open');
  const allowed = connectionsWithin(wanted, files);
  const limit = `a process may open ${files} files and sockets`;
  if (allowed === wanted) return pass('sockets', `${limit}, enough for SMTP_CONNECTIONS=${wanted}`);
  return fail(
    'sockets',
    `${limit}, half of them to mail hosts: ${allowed} instead of SMTP_CONNECTIONS=${wanted}`,
    'Raise the limit (ulimit -n, LimitNOFILE= of systemd, ulimits of a container), or lower SMTP_CONNECTIONS.',
  );
}

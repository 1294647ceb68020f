import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that nobody has signed, by OpenSSL's command; null where there is none. */
export function makeTlsPair(name = 'in.example.net'): TlsPair | null {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-tls-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')] as const;
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout ${key} -out ${cert}`;
  const { status } = spawnSync('openssl', [...request.split(' '), '-subj', `/CN=${name}`]);
  const pair = status === 0 ? { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } : null;
  rmSync(folder, { recursive: true });
  return pair;
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate for names, which signs itself and ends in two days. */
export function makeCertificate(...names: readonly string[]): Certificate {
  return makeCertificateFor(2, names);
}

export function makeCertificateFor(days: number, names: readonly string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-cert-'));
  try {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -keyout ${key} -out ${cert}`;
    const alternative = names.map((name) => `DNS:${name}`).join(',');
    const { status, stderr } = spawnSync('openssl', [
      ...request.split(' '),
      '-subj',
      '/CN=test',
      '-addext',
      `subjectAltName=${alternative}`,
    ]);
    if (status !== 0) throw new Error(String(stderr));
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

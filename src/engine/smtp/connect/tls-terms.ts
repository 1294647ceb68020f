import { createHash, type X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { namesIn } from '../../../lib/certificate-names.js';
import type { PresentedCertificate, PresentedDigests, PresentedTls } from '../../ports.js';

/**
 * What is quick comes first, and groups that keep secrets from computers of the future are left out: newer versions of Node send a large
 * key for them each time. Old encryption is better than none (RFC 7435), and some mail hosts speak nothing newer.
 */
const TERMS: SecureContextOptions = {
  minVersion: 'TLSv1',
  ciphers: 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:DEFAULT@SECLEVEL=0',
  ecdhCurve: 'X25519:P-256:P-384:P-521',
};

let forMail: SecureContext | null = null;
let forProbes: SecureContext | null = null;

/**
 * The terms on which we speak TLS with any host, made once, at the first handshake. No certificate is judged, so none is trusted either:
 * with Node's list of authorities OpenSSL verifies each chain for nothing.
 */
export function opportunistic(): SecureContext {
  forMail ??= createSecureContext({ ...TERMS, ca: [] });
  return forMail;
}

/** The same terms, with authorities that vouch for hosts. @param authorities null: those that this machine trusts */
export function inspecting(authorities: readonly string[] | null): SecureContext {
  if (authorities !== null) return createSecureContext({ ...TERMS, ca: [...authorities] });
  forProbes ??= createSecureContext(TERMS);
  return forProbes;
}

/** No honest chain is longer. */
const MAX_CHAIN = 10;

export function presentedBy(socket: TLSSocket): PresentedTls {
  const chain: PresentedCertificate[] = [];
  let certificate = socket.getPeerX509Certificate();
  for (let last = ''; certificate !== undefined && chain.length < MAX_CHAIN;) {
    if (certificate.fingerprint256 === last) break;
    last = certificate.fingerprint256;
    chain.push(presented(certificate));
    certificate = certificate.issuerCertificate;
  }
  // Node declares an error and gives the word of OpenSSL, which is a text or an error by version.
  const distrust = socket.authorizationError as Error | string | null | undefined;
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    chain,
    distrust: socket.authorized ? null : distrust instanceof Error ? distrust.message : (distrust ?? 'unknown'),
  };
}

function presented(certificate: X509Certificate): PresentedCertificate {
  return {
    names: namesIn(certificate.subjectAltName ?? ''),
    issuer: issuerOf(certificate.issuer),
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    certificateDigests: digestsOf(certificate.raw),
    keyDigests: keyDigestsOf(certificate),
  };
}

function keyDigestsOf(certificate: X509Certificate): PresentedDigests | null {
  try {
    return digestsOf(certificate.publicKey.export({ type: 'spki', format: 'der' }));
  } catch {
    // OpenSSL does not know its kind.
    return null;
  }
}

function digestsOf(bytes: Buffer): PresentedDigests {
  const digest = (algorithm: 'sha256' | 'sha512') => createHash(algorithm).update(bytes).digest('hex');
  return { sha256: digest('sha256'), sha512: digest('sha512') };
}

function issuerOf(text: string): string {
  const part = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1];
  return (part('O') ?? part('CN') ?? text).slice(0, 200);
}

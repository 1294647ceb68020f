import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '../../src/lib/durations.js';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateSubject {
  readonly commonName?: string;
  readonly organization?: string;
  /** The DNS names that it is good for. */
  readonly names?: readonly string[];
  readonly days?: number;
  readonly kind?: CertificateKind;
  /** An object identifier (RFC 5280 section 4.2.1.12). */
  readonly extendedKeyUsage?: string;
}

/** One element of DER (X.690 section 8.1): tag, length, content. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const bytes = Buffer.from(
    body.length.toString(16).padStart(body.length < 0x100 ? 2 : body.length < 0x10000 ? 4 : 6, '0'),
    'hex',
  );
  const length = body.length < 0x80 ? bytes : Buffer.concat([Buffer.from([0x80 + bytes.length]), bytes]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

const TRUE = Buffer.from('0101ff', 'hex');
const sequence = (...content: readonly Buffer[]) => der(0x30, ...content);
const set = (...content: readonly Buffer[]) => der(0x31, ...content);
const integer = (...bytes: readonly number[]) => der(0x02, Buffer.from(bytes));
const bitString = (bits: Buffer) => der(0x03, Buffer.from([0]), bits);
const octetString = (bytes: Buffer) => der(0x04, bytes);
const utf8String = (text: string) => der(0x0c, Buffer.from(text));
/** Context-specific and constructed (X.690 section 8.1.2). */
const tagged = (number: number, content: Buffer) => der(0xa0 + number, content);

/** An object identifier (X.690 section 8.19). */
function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const base128 = (arc: number): readonly number[] =>
    arc < 128 ? [arc] : [...base128(Math.floor(arc / 128)).map((byte) => byte | 128), arc % 128];
  return der(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
}

/** UTCTime, which ends in 2049 (RFC 5280 section 4.1.2.5.1). */
const utcTime = (at: number) =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`));

/** The kinds of keys that servers have: how one is made, and the name of its signatures (RFC 5758 section 3.2, RFC 4055 section 5). */
const KINDS = {
  ec: {
    generate: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    signature: sequence(oid('1.2.840.10045.4.3.2')),
  },
  rsa: {
    generate: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
    signature: sequence(oid('1.2.840.113549.1.1.11'), Buffer.from('0500', 'hex')),
  },
};

export type CertificateKind = keyof typeof KINDS;

export function isCertificateKind(text: string): text is CertificateKind {
  return Object.hasOwn(KINDS, text);
}

/** A key and a certificate that it has signed itself (RFC 5280 section 4.1), because no tool for that is on every machine. */
export function selfSigned(subject: CertificateSubject): Certificate {
  const { commonName = 'test', organization, names = [], days = 2, kind = 'ec', extendedKeyUsage } = subject;
  const { generate, signature: algorithm } = KINDS[kind];
  const { privateKey, publicKey } = generate();
  const attribute = (type: string, value: string) => set(sequence(oid(type), utf8String(value)));
  const name = sequence(
    ...(organization === undefined ? [] : [attribute('2.5.4.10', organization)]),
    attribute('2.5.4.3', commonName),
  );
  const extensions = [
    sequence(oid('2.5.29.19'), TRUE, octetString(sequence(TRUE))),
    ...(names.length === 0
      ? []
      : [
          sequence(
            oid('2.5.29.17'),
            octetString(sequence(...names.map((dnsName) => der(0x82, Buffer.from(dnsName, 'ascii'))))),
          ),
        ]),
    ...(extendedKeyUsage === undefined
      ? []
      : [sequence(oid('2.5.29.37'), octetString(sequence(oid(extendedKeyUsage))))]),
  ];
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const contents = sequence(
    tagged(0, integer(2)),
    integer(1, ...randomBytes(8)),
    algorithm,
    name,
    sequence(utcTime(now), utcTime(now + days * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions)),
  );
  const signature = bitString(sign('sha256', contents, privateKey));
  const encoded = sequence(contents, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

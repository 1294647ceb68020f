import { generateKeyPairSync, sign } from 'node:crypto';

/** One element of DER (X.690 section 8.1): tag, length, content. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;

const COMMON_NAME = Buffer.from('0603550403', 'hex');
/** The kinds of keys that mail hosts have: how one is made, and the name of its signatures (RFC 5758 section 3.2, RFC 4055 section 5). */
const KINDS = {
  ec: {
    generate: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    signature: der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex')),
  },
  rsa: {
    generate: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
    signature: der(SEQUENCE, Buffer.from('06092a864886f70d01010b0500', 'hex')),
  },
};

export type CertificateKind = keyof typeof KINDS;

export function isCertificateKind(text: string): text is CertificateKind {
  return Object.hasOwn(KINDS, text);
}

/** A key and a certificate that it has signed itself (RFC 5280 section 4.1), because no tool for that is on every machine. */
export function selfSigned(name: string, kind: CertificateKind): { readonly key: string; readonly cert: string } {
  const { generate, signature: signatureName } = KINDS[kind];
  const { privateKey, publicKey } = generate();
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(name)))));
  const time = (years: number) =>
    der(UTC_TIME, Buffer.from(`${(new Date().getUTCFullYear() + years).toString().slice(2)}0101000000Z`));
  const contents = der(
    SEQUENCE,
    der(INTEGER, Buffer.from([1])),
    signatureName,
    subject,
    der(SEQUENCE, time(0), time(2)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', contents, privateKey));
  const certificate = der(SEQUENCE, contents, signatureName, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createTransport } from 'nodemailer';
import {
  type KnownKeys,
  type SeenSignatures,
  verifySignatures,
} from '../../src/deliverability/placement/report/signatures.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The record of the key by which `signedMail` signs. */
export const DKIM_RECORD = dkimRecord(publicKey);

export function dkimRecord(key: KeyObject): string {
  return `v=DKIM1; k=rsa; p=${key.export({ type: 'spki', format: 'der' }).toString('base64')}`;
}

export const SELECTOR = 's1';

export interface MailToSign {
  readonly from?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly { readonly filename: string; readonly content: string }[];
  /** The domain that signs; null: nobody does. Default: example.com. */
  readonly signer?: string | null;
  /** Fields that are signed, with colons between them. Default: nodemailer's, without List-Unsubscribe-Post. */
  readonly signed?: string;
  /** Default: one of 2048 bits, whose record is `DKIM_RECORD`. */
  readonly key?: KeyObject;
  readonly hash?: 'sha256' | 'sha1';
  readonly date?: Date;
}

const UNSUBSCRIBE = {
  'List-Unsubscribe': '<https://example.com/leave?who=1>, <mailto:leave@example.com>',
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
};

/** A mail as nodemailer writes and signs it, which is not the library that judges it. */
export async function signedMail(mail: MailToSign = {}): Promise<Buffer> {
  const { from = 'News <news@example.com>', signer = 'example.com', headers = UNSUBSCRIBE, signed, ...more } = mail;
  const { key = privateKey, hash = 'sha256', ...content } = more;
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...(signer !== null && {
      dkim: {
        domainName: signer,
        keySelector: SELECTOR,
        ...(signed !== undefined && { headerFieldNames: signed }),
        hashAlgo: hash,
        privateKey: key.export({ type: 'pkcs8', format: 'pem' }) as string,
      },
    }),
  });
  const { message } = await transport.sendMail({
    from,
    to: 'reader@example.net',
    subject: 'Hello',
    text: 'Hello, reader, this is a letter.',
    html: '<p>Hello, reader, this is a <a href="https://example.com/letter">letter</a>.</p>',
    headers: { ...headers },
    ...content,
  } as never);
  return message as Buffer;
}

/** A mail whose first octets of the body alone are signed (`l=`, RFC 6376 section 8.2), which nodemailer does not do. */
export function signedInPart(mail: Buffer, signer: string, octets: number): Buffer {
  const text = mail.toString('latin1');
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  const [from] = /^From:[^]*?\r\n(?=\S)/m.exec(text)!;
  const bodyHash = createHash('sha256').update(body.slice(0, octets), 'latin1').digest('base64');
  const tags = `v=1; a=rsa-sha256; c=simple/simple; d=${signer}; s=${SELECTOR}; h=from; l=${octets}; bh=${bodyHash}; b=`;
  const field = `DKIM-Signature: ${tags}`;
  const signature = createSign('sha256').update(`${from}${field}`, 'latin1').sign(privateKey, 'base64');
  return Buffer.from(`${field}${signature}\r\n${text}`, 'latin1');
}

/** A look at the signatures of a mail, in this thread. */
export function signatureLook(
  mail: Buffer,
  { mailFrom }: { readonly mailFrom: string | null },
): (keys: KnownKeys) => Promise<SeenSignatures> {
  return (keys) => verifySignatures(mail, { sender: mailFrom ?? '', keys });
}

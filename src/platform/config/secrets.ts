import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from './configuration-error.js';

const ALGORITHM = 'aes-256-gcm';
/** The version of new seals. Version 1, which can still be opened, was sealed with the key of `SECRETS_KEY` itself. */
const VERSION = 2;
const ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + ID_BYTES + NONCE_BYTES + TAG_BYTES;

interface Key {
  readonly bytes: Buffer;
  /** The id of a key in its seals, which reveals nothing about the key. */
  readonly id: Buffer;
}

/**
 * Seals and signs with `SECRETS_KEY`: secrets that are needed in clear again, replies with secrets, and links that need no API
 * key. Its first key seals and signs; the keys behind it open and verify older seals and signatures.
 */
export class Secrets {
  private readonly keys: readonly Key[];

  /** @param secretsKey 32 bytes as base64 or hexadecimal, several in a comma list; null: nothing can be sealed or opened */
  constructor(secretsKey: string | null) {
    this.keys = (secretsKey?.split(',') ?? []).map((text) => {
      const bytes = Buffer.from(text, /^[\da-f]{64}$/i.test(text) ? 'hex' : 'base64');
      return { bytes, id: hash('sha256', bytes, 'buffer').subarray(0, ID_BYTES) };
    });
  }

  /** The beginning of texts sealed with the present key. */
  get prefix(): Buffer {
    return Buffer.concat([Buffer.of(VERSION), this.current.id]);
  }

  /**
   * @param context the object of the secret: a secret sealed for one object cannot be opened for another
   * @throws ConfigurationError without a key
   */
  seal(secret: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, sealingKey(this.current, context), nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([this.prefix, nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error when it was sealed with a key that is not known any more, for something else, or was changed */
  open(sealed: Buffer, context: string): string {
    const id = sealed.subarray(1, 1 + ID_BYTES);
    const key = this.keys.find((one) => one.id.equals(id));
    const version = sealed[0];
    if (key === undefined || (version !== VERSION && version !== 1))
      throw new Error(`SECRETS_KEY has no key ${id.toString('hex')}, which has sealed ${context}`);
    const nonce = sealed.subarray(1 + ID_BYTES, HEAD_BYTES - TAG_BYTES);
    const sealedWith = version === 1 ? key.bytes : sealingKey(key, context);
    const decipher = createDecipheriv(ALGORITHM, sealedWith, nonce).setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES));
    return decipher.update(sealed.subarray(HEAD_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }

  /** @throws ConfigurationError without a key */
  sign(text: string): string {
    return signature(this.current, text);
  }

  /** Verifies in a time that does not depend on the position of the first difference. */
  verify(text: string, signed: string): boolean {
    // The texts are compared, because base64 has several spellings for the same bytes.
    const given = Buffer.from(signed);
    return this.keys.some((key) => {
      const right = Buffer.from(signature(key, text));
      return given.length === right.length && timingSafeEqual(given, right);
    });
  }

  /**
   * A keyed hash by which a text is found again, and which tells nobody else whether it was that text.
   * @throws ConfigurationError without a key
   */
  tag(text: string, context: string): Buffer {
    return tagOf(this.current, text, context);
  }

  /** The tag under each key: what was stored before a change of keys has that of an older one. */
  tags(text: string, context: string): readonly Buffer[] {
    return this.keys.map((key) => tagOf(key, text, context));
  }

  private get current(): Key {
    const [key] = this.keys;
    if (key === undefined)
      throw new ConfigurationError('SECRETS_KEY', null, 'the key that every process of the installation has');
    return key;
  }
}

/**
 * Derives a key for each context, because one key may not be used with 2^32 random nonces (NIST SP 800-38D section 8.3), and
 * replies are many.
 */
function sealingKey({ bytes }: Key, context: string): Buffer {
  return createHmac('sha256', bytes).update(`mailsonde seal ${context}`).digest();
}

function tagOf({ bytes }: Key, text: string, context: string): Buffer {
  const key = createHmac('sha256', bytes).update(`mailsonde tag ${context}`).digest();
  return createHmac('sha256', key).update(text).digest();
}

/** Derives a key for signatures, so that no signature reveals anything about sealed texts. */
function signature({ bytes }: Key, text: string): string {
  const signingKey = createHmac('sha256', bytes).update('mailsonde signatures').digest();
  return createHmac('sha256', signingKey).update(text).digest('base64url');
}

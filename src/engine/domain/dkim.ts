import { createPublicKey, hash } from 'node:crypto';
import { Memo } from '../../lib/memo.js';
import { parseTagList, type TagList, tagOf } from './tag-list.js';

/** Selectors that mail services use, asked where the domain's owner names none. That none is there proves nothing. */
export const COMMON_SELECTORS: readonly string[] = (
  'default dkim mail google selector1 selector2 s1 s2 k1 k2 k3 fm1 fm2 fm3 pm mandrill mxvault zoho ' +
  'zmail smtp email key1 key2 sig1 protonmail protonmail2 protonmail3 mailjet'
).split(' ');

/** A key as it is published. */
export interface DkimKey {
  readonly selector: string;
  readonly record: string;
  readonly type: 'rsa' | 'ed25519' | 'other';
  /** Of an RSA key; null for others, and for one that cannot be read. */
  readonly bits: number | null;
  readonly isRevoked: boolean;
  readonly isTesting: boolean;
  /** Hashes and services that it is for (`h`, `s`); null: all. */
  readonly hashes: readonly string[] | null;
  readonly services: readonly string[] | null;
  /** Why no receiver can use it; null: it can be used. */
  readonly problem: string | null;
}

/** The texts that may be a key: the version may be missing, the key itself may not (RFC 6376 section 3.6.1). */
export function dkimRecordsOf(texts: readonly string[]): string[] {
  return texts.filter((text) => /^\s*v\s*=\s*DKIM1\s*(;|$)/i.test(text) || /(^|;)\s*p\s*=/.test(text));
}

export function readDkimKey(selector: string, record: string): DkimKey {
  const tags = parseTagList(record);
  const kind = (tagOf(tags, 'k') ?? 'rsa').toLowerCase();
  const type = kind === 'rsa' || kind === 'ed25519' ? kind : 'other';
  const data = tagOf(tags, 'p')?.replaceAll(/\s/g, '') ?? null;
  const isTesting = namesIn(tags, 't').includes('y');
  const hashes = tagOf(tags, 'h') === null ? null : namesIn(tags, 'h');
  const services = tagOf(tags, 's') === null ? null : namesIn(tags, 's');
  const key: DkimKey = {
    selector,
    record,
    type,
    hashes,
    services,
    isTesting,
    bits: null,
    isRevoked: data === '',
    problem: null,
  };
  if (tags.broken.length > 0) return { ...key, problem: `"${tags.broken[0]}" is no tag` };
  if (data === null) return { ...key, problem: 'it has no key (p=)' };
  if (data === '' || type === 'other') return key;
  if (!/^[a-z0-9+/]+={0,2}$/i.test(data)) return { ...key, problem: 'its key is not base64' };
  if (type === 'ed25519')
    return Buffer.from(data, 'base64').length === 32 ? key : { ...key, problem: 'an Ed25519 key has 32 bytes' };
  const bits = rsaBits(data);
  return bits === null ? { ...key, problem: 'its key is no RSA key' } : { ...key, bits };
}

/** Reads each record once: what a key is takes longer than everything else that is read. */
export function readDkimKeyOnce(): typeof readDkimKey {
  const read = new Map<string, DkimKey>();
  return (selector, record) => {
    const id = `${selector} ${record}`;
    const key = read.get(id) ?? readDkimKey(selector, record);
    read.set(id, key);
    return key;
  };
}

/** The record without the flag for tests. */
export function withoutTesting(record: string): string {
  const tags = parseTagList(record);
  const left = namesIn(tags, 't').filter((flag) => flag !== 'y');
  return tags.tags
    .flatMap(([name, value]) => (name !== 't' ? [`${name}=${value}`] : left.length > 0 ? [`t=${left.join(':')}`] : []))
    .join('; ');
}

/** The values of a tag that has several, with colons between them. */
function namesIn(tags: TagList, tag: string): string[] {
  return (tagOf(tags, tag) ?? '')
    .toLowerCase()
    .split(':')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** By their SHA-256, since a text may be long: monitors look at the same keys again and again, and to read one takes 0.1 ms. */
const bitsOfKeys = new Memo<string, number | null>(10_000);

/** Null: it is none. @param key in base64 */
function rsaBits(key: string): number | null {
  const digest = hash('sha256', key, 'base64');
  const known = bitsOfKeys.get(digest);
  return known === undefined ? bitsOfKeys.set(digest, readRsaBits(Buffer.from(key, 'base64'))) : known;
}

/** Some publish the key in PKCS #1 instead of SubjectPublicKeyInfo, which RFC 6376 allows. */
function readRsaBits(der: Buffer): number | null {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      const key = createPublicKey({ key: der, format: 'der', type });
      if (key.asymmetricKeyType === 'rsa') return key.asymmetricKeyDetails?.modulusLength ?? null;
    } catch {
      // The other form may fit.
    }
  }
  return null;
}

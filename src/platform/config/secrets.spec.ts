import { createCipheriv, hash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secrets } from './secrets.js';

const [OLD, NEW] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];

describe('a sealed secret', () => {
  it('a sealed secret is opened again, and is another text each time', () => {
    const secrets = new Secrets(OLD);
    const [one, other] = [secrets.seal('whsec_ü', 'a'), secrets.seal('whsec_ü', 'a')];
    expect(one.equals(other)).toBe(false);
    expect([one, other].map((sealed) => secrets.open(sealed, 'a'))).toEqual(['whsec_ü', 'whsec_ü']);
    expect(one.toString('latin1')).not.toContain('whsec_');
  });

  it('a sealed secret is opened after a change of keys as long as the old one stands behind the new', () => {
    const sealed = new Secrets(OLD).seal('x', 'a');
    const both = new Secrets(`${NEW},${OLD}`);
    expect(both.open(sealed, 'a')).toBe('x');
    expect(sealed.subarray(0, both.prefix.length).equals(both.prefix)).toBe(false);
    const anew = both.seal('x', 'a');
    expect(anew.subarray(0, both.prefix.length).equals(both.prefix)).toBe(true);
    expect(new Secrets(NEW).open(anew, 'a')).toBe('x');
    expect(() => new Secrets(NEW).open(sealed, 'a')).toThrow('which has sealed a');
  });

  it('a sealed secret is not opened for something else, nor when a byte was changed', () => {
    const secrets = new Secrets(OLD);
    const sealed = secrets.seal('x', 'a');
    expect(() => secrets.open(sealed, 'b')).toThrow();
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i]! ^= 1;
      expect(() => secrets.open(changed, 'a'), String(i)).toThrow();
    }
  });

  it('a sealed secret of the first version, which knew no key for each context, is opened, and seen to be an old one', () => {
    const nonce = randomBytes(12);
    const bytes = Buffer.from(OLD, 'base64');
    const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from('a'));
    const text = Buffer.concat([cipher.update('x'), cipher.final()]);
    const id = hash('sha256', bytes, 'buffer').subarray(0, 4);
    const sealed = Buffer.concat([Buffer.of(1), id, nonce, cipher.getAuthTag(), text]);
    const secrets = new Secrets(OLD);
    expect(secrets.open(sealed, 'a')).toBe('x');
    expect(sealed.subarray(0, secrets.prefix.length).equals(secrets.prefix)).toBe(false);
  });

  it('a sealed secret cannot be made without a key', () => {
    expect(() => new Secrets(null).seal('x', 'a')).toThrow('SECRETS_KEY');
    expect(() => new Secrets(null).sign('x')).toThrow('SECRETS_KEY');
  });
});

describe('a signature', () => {
  it('a signature holds for its text, also after a change of keys, and in one spelling only', () => {
    const signed = new Secrets(OLD).sign('batch 7');
    const secrets = new Secrets(`${NEW},${OLD}`);
    expect(secrets.verify('batch 7', signed)).toBe(true);
    expect(new Secrets(NEW).verify('batch 7', signed)).toBe(false);
    expect(secrets.verify('batch 8', signed)).toBe(false);
    for (const forged of ['', signed.slice(1), `${signed}=`, signed.toLowerCase(), 'x'.repeat(43)])
      expect(secrets.verify('batch 7', forged)).toBe(false);
    expect(new Secrets(null).verify('batch 7', signed)).toBe(false);
  });
});

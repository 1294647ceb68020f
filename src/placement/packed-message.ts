import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const packed = promisify(gzip) as (raw: Buffer) => Promise<Buffer>;
const unpacked = promisify(gunzip) as (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** More than a message may have that comes; what is stored is our own, and bounded all the same. */
const MAX_BYTES = 16 * 1024 * 1024;

export function packMessage(raw: Buffer): Promise<Buffer> {
  return packed(raw);
}

export function unpackMessage(bytes: Buffer): Promise<Buffer> {
  return unpacked(bytes, { maxOutputLength: MAX_BYTES });
}

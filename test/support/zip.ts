import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive; `statedBytes` lies about the size of each entry. */
export function zipOf(entries: readonly (readonly [name: string, bytes: Uint8Array])[], statedBytes?: number): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  const packedOf = new Map<Uint8Array, Buffer>();
  let offset = 0;
  for (const [name, bytes] of entries) {
    // What stands in many entries is packed once.
    const packed = packedOf.get(bytes) ?? deflateRawSync(bytes);
    packedOf.set(bytes, packed);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(packed.byteLength, 14);
    head.writeUInt32LE(statedBytes ?? bytes.byteLength, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), head, rest, Buffer.from(name)]));
    files.push(local);
    offset += local.byteLength;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(
    directory.reduce((sum, { byteLength }) => sum + byteLength, 0),
    8,
  );
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

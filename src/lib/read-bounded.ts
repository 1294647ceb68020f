/** All bytes of a stream; null where there are more than `maxBytes`, of which the rest is not read. */
export async function readBounded(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | null> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) return null;
    read.push(chunk);
  }
  return Buffer.concat(read);
}

import { CHUNK_SIZE, chunkOfRowRef, offsetOfRowRef, type RowRef } from '../model/row-ref.js';

/** Counts how many further rows an item answers. Memory grows with the chunks that have duplicates, not with the duplicates. */
export class DuplicateCounts {
  private readonly counts = new Map<number, Uint32Array>();

  /** @param ref of the item that one more row has */
  add(ref: RowRef): void {
    const chunk = chunkOfRowRef(ref);
    let counts = this.counts.get(chunk);
    if (counts === undefined) this.counts.set(chunk, (counts = new Uint32Array(CHUNK_SIZE)));
    counts[offsetOfRowRef(ref)]! += 1;
  }

  /** The chunks that have duplicates, with pairs of an offset and the number of its further rows. */
  *byChunk(): Generator<readonly [chunk: number, pairs: readonly number[]]> {
    for (const [chunk, counts] of this.counts) {
      const pairs: number[] = [];
      for (let offset = 0; offset < CHUNK_SIZE; offset++) if (counts[offset] !== 0) pairs.push(offset, counts[offset]!);
      yield [chunk, pairs];
    }
  }
}

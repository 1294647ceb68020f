import { CHUNK_SIZE } from './blocks.js';

/** How many further rows an address answers: counted by chunk, 4 KB for each that has any, however many there are. */
export class Repeats {
  private readonly counts = new Map<number, Uint32Array>();

  /** @param place of the address: chunk * CHUNK_SIZE + offset */
  add(place: number): void {
    const chunk = Math.floor(place / CHUNK_SIZE);
    let counts = this.counts.get(chunk);
    if (counts === undefined) this.counts.set(chunk, (counts = new Uint32Array(CHUNK_SIZE)));
    counts[place % CHUNK_SIZE]! += 1;
  }

  /** Chunks that have any, with pairs of an offset and its further rows. */
  *byChunk(): Generator<readonly [chunk: number, pairs: readonly number[]]> {
    for (const [chunk, counts] of this.counts) {
      const pairs: number[] = [];
      for (let offset = 0; offset < CHUNK_SIZE; offset++) if (counts[offset] !== 0) pairs.push(offset, counts[offset]!);
      yield [chunk, pairs];
    }
  }
}

import type { Verification } from '../engine/types.js';
import {
  checkedAtOf,
  type CachedVerdict,
  PROVIDER_AT,
  readVerdict,
  VERDICT_BYTES,
  writeVerdict,
} from './cached-verdict.js';

const VERSION = 1;
const NAME_BYTES = 8;
const RECORD_BYTES = NAME_BYTES + VERDICT_BYTES;
const MAX_PROVIDERS = 255;

/**
 * Many verdicts, each under a number of 64 bits, as one value: a version, the names of mail operators, then 24 bytes for each verdict. In
 * the table the number is the keyed hash of the address, in a batch's chunk the offset of the item.
 */
export class VerdictBlock {
  readonly count: number;
  private readonly providers: (string | null)[] = [null];
  private readonly from: number;

  /** @throws Error when another release of the service wrote it */
  constructor(private readonly bytes: Buffer) {
    if (bytes[0] !== VERSION) throw new Error(`kept verdicts have version ${bytes[0]}, this release reads ${VERSION}`);
    let at = 2;
    for (let i = 0; i < bytes[1]!; i++) {
      this.providers.push(bytes.toString('utf8', at + 1, at + 1 + bytes[at]!));
      at += 1 + bytes[at]!;
    }
    this.from = at;
    this.count = (bytes.length - at) / RECORD_BYTES;
  }

  high(i: number): number {
    return this.bytes.readUInt32BE(this.from + i * RECORD_BYTES);
  }

  low(i: number): number {
    return this.bytes.readUInt32BE(this.from + i * RECORD_BYTES + 4);
  }

  checkedAt(i: number): number {
    return checkedAtOf(this.bytes, this.at(i));
  }

  verdict(i: number): CachedVerdict {
    return readVerdict(this.bytes, this.at(i), this.providers);
  }

  /** Copies a verdict into another block under another number. */
  copy(i: number, to: VerdictBlockBuilder, high: number, low: number): void {
    const at = this.at(i);
    to.addRecord(
      high,
      low,
      this.bytes.subarray(at, at + VERDICT_BYTES),
      this.providers[this.bytes[at + PROVIDER_AT]!]!,
    );
  }

  /** The verdicts whose numbers pass. */
  filter(passes: (high: number, low: number) => boolean): VerdictBlockBuilder {
    const rest = new VerdictBlockBuilder();
    for (let i = 0; i < this.count; i++)
      if (passes(this.high(i), this.low(i))) this.copy(i, rest, this.high(i), this.low(i));
    return rest;
  }

  private at(i: number): number {
    return this.from + i * RECORD_BYTES + NAME_BYTES;
  }
}

/** Collects the verdicts of a block. */
export class VerdictBlockBuilder {
  count = 0;
  /** When the oldest of them was given. */
  oldestAt = Infinity;
  private bytes = Buffer.alloc(64 * RECORD_BYTES);
  private readonly providers = new Map<string, number>();

  add(high: number, low: number, verification: Verification): void {
    const at = this.grow(high, low);
    writeVerdict(this.bytes, at, verification, this.indexOf(verification.provider));
    this.oldestAt = Math.min(this.oldestAt, verification.checkedAt);
  }

  addRecord(high: number, low: number, verdict: Buffer, provider: string | null): void {
    const at = this.grow(high, low);
    verdict.copy(this.bytes, at);
    this.bytes[at + PROVIDER_AT] = this.indexOf(provider);
    this.oldestAt = Math.min(this.oldestAt, checkedAtOf(verdict, 0));
  }

  toBuffer(): Buffer {
    const names = [...this.providers.keys()].map((name) => Buffer.from(name));
    const head = names.flatMap((name) => [Buffer.of(name.length), name]);
    return Buffer.concat([
      Buffer.of(VERSION, names.length),
      ...head,
      this.bytes.subarray(0, this.count * RECORD_BYTES),
    ]);
  }

  private grow(high: number, low: number): number {
    let at = this.count * RECORD_BYTES;
    if (at === this.bytes.length) this.bytes = Buffer.concat([this.bytes, Buffer.alloc(at)]);
    this.count += 1;
    at = this.bytes.writeUInt32BE(high, at);
    return this.bytes.writeUInt32BE(low, at);
  }

  /** A name that finds no place any more is left out: there are hardly thirty. */
  private indexOf(provider: string | null): number {
    if (provider === null) return 0;
    const known = this.providers.get(provider);
    if (known !== undefined) return known;
    if (this.providers.size === MAX_PROVIDERS || Buffer.byteLength(provider) > 255) return 0;
    this.providers.set(provider, this.providers.size + 1);
    return this.providers.size;
  }
}

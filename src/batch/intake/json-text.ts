const QUOTE = 0x22;
const COMMA = 0x2c;
const FIRST_BYTES = 1_024;

/** The text of a JSON array or object, in UTF-8, that grows member by member: there are no strings to collect before it is stored. */
export class JsonText {
  count = 0;
  private length: number;

  /** @param bytes memory of a text that nobody needs any more */
  constructor(
    private readonly brackets: '[]' | '{}',
    private bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES),
  ) {
    this.length = this.bytes.write(brackets[0]!);
  }

  /** Of the text as it is now. */
  get byteLength(): number {
    return this.length;
  }

  /** A string, of bytes that need no escaping. */
  addPlain(source: Uint8Array, from: number, to: number): void {
    this.makeRoom(to - from + 3);
    const { bytes } = this;
    let at = this.length;
    bytes[at++] = QUOTE;
    for (let i = from; i < to; i++) bytes[at++] = source[i]!;
    bytes[at++] = QUOTE;
    bytes[at++] = COMMA;
    this.length = at;
    this.count += 1;
  }

  /** @param json a value, or a name and a value */
  add(json: string): void {
    this.makeRoom(json.length * 3 + 1);
    this.length += this.bytes.write(json, this.length);
    this.bytes[this.length++] = COMMA;
    this.count += 1;
  }

  /** The whole text. No member can be added after it. */
  end(): Buffer {
    this.makeRoom(1);
    // The closing bracket replaces the last comma.
    if (this.count > 0) this.length -= 1;
    this.length += this.bytes.write(this.brackets[1]!, this.length);
    return this.bytes.subarray(0, this.length);
  }

  private makeRoom(length: number): void {
    if (this.length + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + length));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yauzl, { type ZipFile } from 'yauzl';
import { AppError } from '../../platform/errors/app-error.js';

const MAX_BYTES = 104_857_600;
/** What is longer waits on the disk for its end, so that callers who send slowly take no memory. */
const MAX_BYTES_IN_MEMORY = 1_048_576;

/** An archive that has come whole: its contents stand at its end. */
export class PackedFile {
  private constructor(
    readonly bytes: number,
    private readonly held: Buffer | FileHandle,
  ) {}

  /** @throws AppError `body_too_large` */
  static async of(sent: AsyncIterable<Buffer>): Promise<PackedFile> {
    let pieces: Buffer[] = [];
    let file: FileHandle | null = null;
    let bytes = 0;
    try {
      for await (const piece of sent) {
        bytes += piece.length;
        if (bytes > MAX_BYTES) throw new AppError('body_too_large');
        pieces.push(piece);
        if (bytes <= MAX_BYTES_IN_MEMORY) continue;
        file ??= await namelessFile();
        await file.appendFile(Buffer.concat(pieces));
        pieces = [];
      }
    } catch (error) {
      await file?.close();
      throw error;
    }
    return new PackedFile(bytes, file ?? Buffer.concat(pieces));
  }

  /** @throws Error for what is no archive */
  archive(): Promise<ZipFile> {
    const { held } = this;
    if (Buffer.isBuffer(held)) return yauzl.fromBufferPromise(held, { lazyEntries: true });
    return yauzl.fromFdPromise(held.fd, { lazyEntries: true, autoClose: false });
  }

  async close(): Promise<void> {
    if (!Buffer.isBuffer(this.held)) await this.held.close();
  }
}

/** A file that ends with its descriptor, however the process ends. */
async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `mailsonde-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

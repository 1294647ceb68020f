import type { Permit } from '../../lib/semaphore.js';
import { AppError } from '../../platform/errors/app-error.js';

/** What reading a workbook has to wait for. */
export interface Pace {
  /** Waits until the upload may read its next slice. */
  readonly nextSlice: () => Promise<void>;
  /** Waits for one of the few places of workbooks that unpack to more than some megabytes. */
  readonly workbookPlace: () => Promise<Permit>;
}

/** Four times what a CSV may have, since each cell has its marks around it. */
const MAX_BYTES = 1_073_741_824;
/** Workbooks are packed 5 to 20 times; what grows more than this, past the first megabytes, was made to. */
const MAX_RATIO = 100;
/** What every workbook may have, and needs no place for. */
const SMALL_BYTES = 8_388_608;

/** Counts what the parts of a workbook unpack to. */
export class Unpacking {
  private bytes = 0;
  private readonly maxBytes: number;
  private place: Permit | null = null;

  constructor(
    packedBytes: number,
    private readonly pace: Pace,
  ) {
    this.maxBytes = Math.min(MAX_BYTES, Math.max(SMALL_BYTES, packedBytes * MAX_RATIO));
  }

  /** Waits until so many bytes may be parsed. @throws AppError `body_too_large` for a workbook that was packed to grow */
  async take(bytes: number): Promise<void> {
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) throw new AppError('body_too_large');
    if (this.bytes > SMALL_BYTES) this.place ??= await this.pace.workbookPlace();
    await this.pace.nextSlice();
  }

  end(): void {
    this.place?.release();
  }
}

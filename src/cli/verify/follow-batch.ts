import type { AccountClient, BatchStatus } from '../../client/client.js';
import { printable } from '../terminal/print.js';
import type { Interruption } from '../terminal/run-server-command.js';
import { createProgress } from './verify-in-order.js';
import { counted } from '../../platform/counted.js';

/**
 * Waits for the end of a batch while a bar shows how far it is.
 * @param fate what becomes of the batch where this command is interrupted, such as `goes on by itself: …`
 */
export async function followBatch(
  client: AccountClient,
  id: number,
  interruption: Interruption,
  fate: string,
): Promise<BatchStatus> {
  interruption.standing = `Batch ${id} ${fate}`;
  const { total_emails } = await client.getBatch(id, interruption);
  const progress = await createProgress(total_emails, process.stderr.isTTY, 'answered');
  try {
    const ended = await client.waitForBatch(id, {
      signal: interruption.signal,
      onProgress: ({ processed, estimated_completion_at: end }) => {
        // The service knows the caps of mail operators, which a straight line does not.
        progress.show(processed, end === null ? null : Date.parse(end) - Date.now());
        interruption.standing = `Batch ${id} ${fate} ${processed} of ${counted(total_emails, 'row')} answered.`;
      },
    });
    progress.end();
    console.error(statusText(ended));
    return ended;
  } finally {
    progress.end();
  }
}

/** A batch as a line for a person. */
export function statusText({
  id,
  name,
  status,
  processed,
  total_emails,
  counts,
  credits_charged,
  completed_at,
  estimated_completion_at,
}: BatchStatus): string {
  const { valid, invalid, risky, unknown } = counts;
  const end =
    completed_at === null && estimated_completion_at !== null ? `, expected to end at ${estimated_completion_at}` : '';
  const called = name === null ? '' : ` "${printable(name)}"`;
  return (
    `Batch ${id}${called}: ${status}, ${processed} of ${counted(total_emails, 'row')} answered ` +
    `(${valid} valid, ${invalid} invalid, ${risky} risky, ${unknown} unknown), ${counted(credits_charged, 'credit')} charged${end}`
  );
}

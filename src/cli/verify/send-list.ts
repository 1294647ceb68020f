import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { AccountClient, AccountSchemas } from '../../client/client.js';
import type { Interruption } from '../terminal/run-server-command.js';
import { createProgress } from './verify-in-order.js';
import { LIST_FORMATS, type ListFormat, openList } from './list-file.js';
import { counted } from '../../platform/counted.js';

export interface SendOptions {
  readonly format?: ListFormat;
  readonly name?: string;
  readonly emailColumn?: string;
  readonly header?: boolean;
  readonly sheet?: string;
  readonly delimiter?: 'comma' | 'semicolon' | 'tab' | 'bar';
  readonly maxCredits?: number;
  readonly reuseDays?: number;
  readonly retryWindow?: number;
  readonly retentionDays?: number;
  readonly hold?: boolean;
  readonly idempotencyKey?: string;
}

const KB = 1_024;

/** Sends a list while a bar shows how much has gone. */
export async function sendList(
  client: AccountClient,
  path: string,
  options: SendOptions,
  interruption: Interruption,
): Promise<AccountSchemas['BatchTakenReply']> {
  const list = await openList(path, options.format);
  const idempotencyKey = options.idempotencyKey ?? randomUUID();
  const total = list.bytes === null ? null : Math.ceil(list.bytes / KB);
  const progress = await createProgress(total, process.stderr.isTTY, 'KB sent');
  interruption.standing = standing('0 KB', idempotencyKey);
  const upload = new AbortController();
  let isWhole = false;
  const abort = () => isWhole || upload.abort(interruption.signal.reason);
  interruption.signal.addEventListener('abort', abort);
  async function* pieces() {
    isWhole = false;
    if (interruption.signal.aborted) abort();
    yield* list.open();
    // The service may have taken it in: its reply is waited for, since nobody else says the id.
    isWhole = true;
  }
  try {
    const taken = await client.uploadBatch(list.bytes === null ? pieces() : pieces, {
      ...settingsOf(path, list.format, options),
      contentType: LIST_FORMATS[list.format],
      isGzip: list.isGzip,
      idempotencyKey,
      signal: upload.signal,
      ...(list.bytes !== null && { totalBytes: list.bytes }),
      onProgress: ({ sentBytes }) => {
        const sent = Math.ceil(sentBytes / KB);
        progress.show(sent);
        interruption.standing = standing(total === null ? `${sent} KB` : `${sent} of ${total} KB`, idempotencyKey);
      },
    });
    progress.end();
    console.error(takenText(taken));
    return taken;
  } finally {
    progress.end();
  }
}

function standing(sent: string, idempotencyKey: string): string {
  return (
    `${sent} were sent. A list that has not come whole leaves nothing behind and costs nothing.\n` +
    `Send it again with --idempotency-key ${idempotencyKey}: if it had come, its batch is told, and nothing is charged twice.`
  );
}

/** JSON names its settings itself. */
function settingsOf(path: string, format: ListFormat, options: SendOptions) {
  const { emailColumn, header, sheet, delimiter, maxCredits, reuseDays, retryWindow, retentionDays, hold } = options;
  if (format === 'json') return { hold };
  return {
    name: options.name ?? (path === '-' ? undefined : basename(path)),
    email_column: emailColumn,
    has_header: header,
    sheet,
    delimiter,
    max_credits: maxCredits,
    reuse_days: reuseDays,
    retry_window_seconds: retryWindow,
    retention_days: retentionDays,
    hold,
  };
}

function takenText({ id, total_emails, unique_emails, quote }: AccountSchemas['BatchTakenReply']): string {
  const rows = `Batch ${id}: ${counted(total_emails, 'row')}, ${counted(unique_emails ?? total_emails, 'address', 'addresses')}`;
  if (quote == null) return rows;
  return `${rows}. It is held, and costs ${counted(quote.max_credits, 'credit')} at most: "mailsonde batch start ${id}" begins it.`;
}

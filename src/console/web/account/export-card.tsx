import { Section } from '../parts/listing.js';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { announce } from '../parts/announcer.js';
import { ActionButton } from '../parts/form.js';
import { type Failure, pageFault } from '../parts/failure.js';
import { bytes, count } from '../parts/values.js';
import { send } from '../session/api.js';

const TYPE = 'application/x-ndjson';
/** So much is handed to the browser at once, which keeps large files on the disk. */
const PART_BYTES = 4_000_000;
/** The last line is shorter. */
const MAX_END_BYTES = 200;

/** What has come so far; `lines` once the file is whole. */
interface Received {
  readonly size: number;
  readonly lines: number | null;
}

/** All that the account has, as one file. A file that breaks off is not saved, because nobody would see what is missing. */
export function ExportCard() {
  const received = useSignal<Received | null>(null);
  const isRunning = useSignal(false);
  const stop = useRef<AbortController | null>(null);
  const take = async () => {
    const own = (stop.current = new AbortController());
    received.value = { size: 0, lines: null };
    isRunning.value = true;
    try {
      const file = await receive(own.signal, (size) => (received.value = { size, lines: null }));
      const lines = await linesSaidIn(file);
      save(file);
      received.value = { size: file.size, lines };
      announce('The file is whole.');
    } catch (error) {
      received.value = null;
      if (!own.signal.aborted) throw error;
    } finally {
      isRunning.value = false;
    }
  };
  return (
    <Section id="export" title="Take everything along" class="card">
      <p>
        Lists with their results, keys, webhooks, suppressions, ledger and audit, one JSON object a line:{' '}
        <a href="/docs/guides/privacy">what is in it</a>.
      </p>
      <ActionButton onAct={take}>Download everything</ActionButton>
      {isRunning.value && (
        <p>
          <progress aria-label="The file comes" /> {bytes(received.value?.size ?? 0)} so far.{' '}
          <button type="button" class="small" onClick={() => stop.current?.abort()}>
            Stop
          </button>
        </p>
      )}
      {typeof received.value?.lines === 'number' && (
        <p role="status">
          The file is whole: {count(received.value.lines)} things in {bytes(received.value.size)}.
        </p>
      )}
    </Section>
  );
}

async function receive(signal: AbortSignal, onSize: (size: number) => void): Promise<Blob> {
  const response = await send('/api/v1/export', { signal });
  const reader = response.body!.getReader();
  let file = new Blob([], { type: TYPE });
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let held = 0;
  const hand = () => {
    file = new Blob([file, ...parts], { type: TYPE });
    parts = [];
    held = 0;
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      held += value.length;
      onSize(file.size + held);
      if (held >= PART_BYTES) hand();
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw brokenOff();
  }
  hand();
  return file;
}

/** The last line counts the others. @throws Failure when it is not there */
async function linesSaidIn(file: Blob): Promise<number> {
  const end = /\{"type":"end","lines":(\d+)\}\n?$/.exec(await file.slice(-MAX_END_BYTES).text());
  if (end === null) throw brokenOff();
  return Number(end[1]);
}

function brokenOff(): Failure {
  return pageFault('The file broke off before its end, and was not saved. Try again.');
}

function save(file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = 'export.ndjson';
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useRef } from 'preact/hooks';
import { announce } from '../parts/announcer.js';
import { asFailure, type Failure, FailureNote } from '../parts/failure.js';
import { ActionForm, TextField } from '../parts/form.js';
import { bytes, counted, percent } from '../parts/values.js';
import { session } from '../session/session.js';
import { type Corrections, FileChoice, type Preview, PreviewTable } from './file-choice.js';
import { type MailsondeError, refusalOf, unreachable } from '../../../client/mailsonde-error.js';
import { type Account, send } from '../session/api.js';

interface Chosen {
  readonly file: File;
  readonly preview: Preview;
  readonly corrections: Corrections;
  readonly idempotencyKey: string;
}

/** The service looks at so much of a text, and tells from one byte more that there is more. */
const PREVIEW_BYTES = 65_537;
/** With which a workbook begins, of which the service needs all. */
const ARCHIVE = 'PK\x03\x04';

const isArchive = async (file: File): Promise<boolean> => (await file.slice(0, ARCHIVE.length).text()) === ARCHIVE;

/** How the service would read a file; what a person has corrected is as he says. */
async function previewOf(file: File, { charset, ...query }: Corrections): Promise<Preview> {
  const body = (await isArchive(file)) ? file : file.slice(0, PREVIEW_BYTES);
  const type = charset === undefined ? 'text/csv' : `text/csv; charset=${charset}`;
  const path = `/api/v1/verify/preview?${new URLSearchParams(query)}`;
  const reply = await send(path, { method: 'POST', headers: { 'content-type': type }, body });
  return (await reply.json()) as Preview;
}

/** Lists, looked at before they are sent: the service takes each in and says what it costs, and nothing starts yet. */
export function UploadScreen() {
  const chosen = useSignal<Chosen | null>(null);
  /** Those that come next. */
  const waiting = useSignal<readonly File[]>([]);
  const reading = useSignal<string | null>(null);
  const failure = useSignal<Failure | null>(null);
  const column = useSignal('');
  const name = useSignal('');
  const days = useSignal('');
  const mostDays = session.value?.retention_days;
  const sent = useSignal<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  const { route } = useLocation();

  const show = async (file: File, corrections: Corrections) => {
    reading.value = file.name;
    failure.value = null;
    try {
      const preview = await previewOf(file, corrections);
      column.value = String(preview.email_column ?? '');
      chosen.value = { file, preview, corrections, idempotencyKey: crypto.randomUUID() };
    } catch (error) {
      failure.value = asFailure(error);
    } finally {
      reading.value = null;
    }
  };
  const choose = async ([file, ...others]: readonly File[]) => {
    chosen.value = null;
    waiting.value = others;
    if (file === undefined) return;
    await show(file, {});
    name.value = file.name.replace(/\.[^.]*$/, '').slice(0, 200);
    announce(`${file.name} is chosen. Look at its first rows below.`);
  };
  const submit = async () => {
    if (chosen.value === null) return;
    const { file, preview, idempotencyKey } = chosen.value;
    const { delimiter, sheet } = preview;
    const query = new URLSearchParams({
      hold: 'true',
      ...(delimiter !== null && { delimiter }),
      ...(sheet !== null && { sheet }),
      has_header: String(preview.has_header),
      name: name.value.trim() || file.name,
    });
    if (days.value.trim() !== '') query.set('retention_days', days.value.trim());
    if (column.value !== '') query.set('email_column', column.value);
    const own = (stop.current = new AbortController());
    sent.value = 0;
    try {
      const upload = { content: file, type: preview.content_type, query, idempotencyKey };
      const { id } = await sendList(upload, (share) => (sent.value = share), own.signal);
      if (waiting.value.length > 0) await choose(waiting.value);
      else route(`/console/batches/${id}`);
    } catch (error) {
      if (!own.signal.aborted) throw error;
    } finally {
      sent.value = null;
    }
  };
  return (
    <>
      <h1>New list</h1>
      <FailureNote failure={failure.value} />
      {reading.value !== null && <p role="status">Reading {reading.value} …</p>}
      {chosen.value === null ? (
        <FileChoice onChoose={choose} />
      ) : (
        <>
          <div class="title-line">
            <p>
              <strong>{chosen.value.file.name}</strong>, {bytes(chosen.value.file.size)}
              {waiting.value.length > 0 &&
                `; then ${counted(waiting.value.length, 'more file')}, each a list of its own`}
            </p>
            <button type="button" onClick={() => void choose([])}>
              Choose another
            </button>
          </div>
          <PreviewTable
            preview={chosen.value.preview}
            column={column}
            onCorrect={(more) => {
              const { file, corrections } = chosen.value!;
              void show(file, { ...corrections, ...more });
            }}
          />
          <ActionForm action="Send, and see what it costs" onAct={submit} disabled={column.value === ''}>
            <TextField label="Name of the list" value={name} maxLength={200} required />
            <TextField
              label="Delete it so many days after its end"
              type="number"
              value={days}
              min={1}
              max={mostDays}
              hint={`At most ${mostDays}; empty: as the account says under Privacy.`}
            />
          </ActionForm>
          {sent.value !== null && (
            <div class="below">
              <label for="sent">Sent: {percent(sent.value)}</label>
              <progress id="sent" max={1} value={sent.value} />
              <p class="hint">
                {sent.value < 1 ? 'The list is on its way.' : 'The service counts rows and duplicates.'}{' '}
                <button type="button" class="small" onClick={() => stop.current?.abort()}>
                  Stop
                </button>
              </p>
            </div>
          )}
          <p class="hint">Nothing is checked and nothing is charged before you have seen the price and start it.</p>
        </>
      )}
    </>
  );
}

export type Taken = Account['schemas']['BatchTakenReply'];

/** Below it packing saves nothing that a person would notice. */
const MIN_PACKED_BYTES = 65_536;
const CREATED = 201;

export interface Upload {
  readonly content: Blob;
  readonly type: string;
  readonly query: URLSearchParams;
  /** The same for every try of one list, so that a try that was answered unheard makes no second list. */
  readonly idempotencyKey: string;
}

/** Sends a list, packed; only this old way of sending tells how much is on its way. */
export async function sendList(
  upload: Upload,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Taken> {
  const isPacked = upload.content.size >= MIN_PACKED_BYTES && 'CompressionStream' in globalThis;
  const body = isPacked ? await packed(upload.content) : upload.content;
  const request = new XMLHttpRequest();
  request.open('POST', `/api/v1/verify/batch?${upload.query}`);
  request.setRequestHeader('Content-Type', upload.type);
  request.setRequestHeader('Idempotency-Key', upload.idempotencyKey);
  if (isPacked) request.setRequestHeader('Content-Encoding', 'gzip');
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => {
      if (request.status === CREATED) resolve(JSON.parse(request.responseText) as Taken);
      else reject(refusalIn(request));
    });
    request.addEventListener('error', () => reject(unreachable(null, location.origin)));
    request.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function refusalIn(request: XMLHttpRequest): MailsondeError {
  const headers = new Headers();
  for (const name of ['x-request-id', 'retry-after']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return refusalOf({ status: request.status, headers }, request.responseText);
}

function packed(content: Blob): Promise<Blob> {
  return new Response(content.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

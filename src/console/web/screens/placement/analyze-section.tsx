import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { ActionForm } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { TextAreaField, TextField } from '../../parts/field.js';
import { bytes, counted } from '../../parts/figures.js';
import { type Account, send } from '../../shell/api.js';
import { MessageReport } from './placement-result.js';

type Analysis = Account['schemas']['AnalysisReply'];

const PATH = '/api/v1/placement/analyze';

/** A message with all its headers, judged without being sent. */
export function AnalyzeSection() {
  const pasted = useSignal('');
  const file = useSignal<File | null>(null);
  const from = useSignal('');
  const client = useSignal('');
  const helo = useSignal('');
  const shown = useSignal<Analysis | null>(null);
  const id = useId();
  const analyze = async () => {
    const envelope = { mail_from: from.value.trim(), client_address: client.value.trim(), helo: helo.value.trim() };
    const query = new URLSearchParams(Object.entries(envelope).filter(([, value]) => value !== ''));
    // A message is bytes: a file goes as it is, and what was pasted gets the line ends of mail (RFC 5322 section 2.1).
    const body = file.value ?? pasted.value.replaceAll(/\r?\n/g, '\r\n');
    const headers = { 'Content-Type': 'message/rfc822' };
    const reply = await send(`${PATH}?${query}`, { method: 'POST', headers, body });
    shown.value = (await reply.json()) as Analysis;
    announce(`The message is read: ${counted(shown.value.findings.length, 'finding')}.`);
  };
  return (
    <section aria-labelledby="analyze">
      <h2 id="analyze">A message without sending it</h2>
      <div class="card">
        <ActionForm action="Read it" onAct={analyze} disabled={file.value === null && pasted.value.trim() === ''}>
          <TextAreaField
            label="Source of the message, with all headers"
            rows={6}
            value={pasted}
            placeholder={'From: news@example.com\nSubject: …\n\n…'}
          />
          <div class="labelled">
            <label for={id}>Or an .eml file</label>
            <input
              id={id}
              type="file"
              accept=".eml,message/rfc822"
              onChange={(event) => (file.value = event.currentTarget.files?.[0] ?? null)}
            />
            {file.value !== null && <p class="hint">{bytes(file.value.size)}, in place of what is pasted.</p>}
          </div>
          <details>
            <summary>Who sends it</summary>
            <div class="row">
              <TextField label="MAIL FROM" value={from} placeholder="bounces@example.com" />
              <TextField
                label="Sending address"
                value={client}
                placeholder="198.51.100.25"
                hint="Without it SPF and its reverse name cannot be judged."
              />
              <TextField label="Its name (HELO)" value={helo} placeholder="mail.example.com" />
            </div>
          </details>
        </ActionForm>
        <p class="hint">It costs one credit. Links in it are never opened.</p>
      </div>
      {shown.value !== null && <MessageReport of={shown.value} />}
    </section>
  );
}

import { useSignal } from '@preact/signals';
import { Confirm } from '../parts/dialog.js';
import { ActionForm, CheckField, TextAreaField, TextField } from '../parts/form.js';
import { MailsondeError } from '../../../client/mailsonde-error.js';
import { wrongFieldsOf } from '../parts/failure.js';
import { counted, Time } from '../parts/values.js';
import { Listing, Section, useLoad } from '../parts/listing.js';
import { type UnreadLine, UnreadLines } from '../parts/unread-lines.js';
import { api } from '../session/api.js';
import { may } from '../session/session.js';
import { type PastedAddress, pastedOf } from './pasted.js';

/** So many the service takes at once. */
const MAX_ADDRESSES = 1_000;

/** Addresses that this account must not ask about. */
export function SuppressionsScreen() {
  const changed = useSignal(0);
  return (
    <>
      <h1>Suppressions</h1>
      <p>
        Addresses that the finder never gives, because their people asked not to be found. The service keeps hashes of
        them, not the addresses.
      </p>
      <div class="columns">
        <CheckOne />
        <AddSome onAdded={() => changed.value++} />
      </div>
      {may('settings') && <Reporting />}
      <h2>All of them</h2>
      <Listing
        label="Suppressed addresses"
        on={[changed.value]}
        load={(page) => api.get('/api/v1/suppressions', page())}
        rows="suppressions"
        empty="No address is suppressed"
        columns={{
          Hash: ({ id }) => <code title={id}>{id.slice(0, 16)}…</code>,
          Reason: ({ reason }) => reason ?? '',
          Since: (one) => <Time at={one.created_at} />,
          '': ({ id }) => (
            <Confirm
              action="Take away"
              isSmall
              onAct={() => api.delete('/api/v1/suppressions/{id}', { path: { id } })}
              onDone={() => changed.value++}
            >
              <p>The finder may give this address again.</p>
            </Confirm>
          ),
        }}
      />
    </>
  );
}

function CheckOne() {
  const email = useSignal('');
  const said = useSignal<string | null>(null);
  const check = async () => {
    const id = email.value.trim();
    said.value = null;
    try {
      const { created_at: at } = await api.get('/api/v1/suppressions/{id}', { path: { id } });
      said.value = `It is suppressed since ${new Date(at).toLocaleString()}.`;
    } catch (error) {
      if (!(error instanceof MailsondeError) || error.status !== 404) throw error;
      said.value = 'It is not suppressed.';
    }
  };
  return (
    <Section id="check-one" title="Is an address suppressed?" class="card">
      <ActionForm action="Look" onAct={check} disabled={email.value.trim() === ''}>
        <TextField label="Email address" value={email} maxLength={1000} />
        <p role="status">{said}</p>
      </ActionForm>
    </Section>
  );
}

function AddSome({ onAdded }: { readonly onAdded: () => void }) {
  const text = useSignal('');
  const reason = useSignal('');
  // What the last adding left out; it stays until there is a new text.
  const left = useSignal<readonly UnreadLine[]>([]);
  const { addresses, unread } = pastedOf(text.value);
  const read = async (event: Event) => {
    const file = (event.currentTarget as HTMLInputElement).files?.[0];
    if (file === undefined) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    text.value = new TextDecoder(charsetOf(bytes)).decode(bytes);
  };
  const add = async () => {
    let added = 0;
    const refused: UnreadLine[] = [];
    for (let at = 0; at < addresses.length; at += MAX_ADDRESSES) {
      const done = await addAll(addresses.slice(at, at + MAX_ADDRESSES), reason.value.trim() || null);
      added += done.added;
      refused.push(...done.refused);
    }
    left.value = [...unread, ...refused].toSorted((a, b) => a.number - b.number);
    text.value = '';
    return `${counted(added, 'address', 'addresses')} added, ${counted(left.value.length, 'line')} left out.`;
  };
  return (
    <Section id="add-some" title="Add addresses" class="card">
      <ActionForm
        action={addresses.length > 1 ? `Add ${counted(addresses.length, 'address', 'addresses')}` : 'Add'}
        onAct={add}
        onDone={onAdded}
        disabled={addresses.length === 0}
      >
        <TextAreaField label="Addresses, one a line" value={text} />
        <div class="labelled">
          <label for="suppressions-file">or a file with one a line, or a CSV</label>
          <input
            id="suppressions-file"
            type="file"
            accept=".txt,.csv,text/plain,text/csv"
            onChange={(event) => void read(event)}
          />
        </div>
        <TextField label="Reason (for your own records)" value={reason} maxLength={500} />
        <UnreadLines of={text.value === '' ? left.value : unread} why="no address" />
      </ActionForm>
    </Section>
  );
}

/** All but those that the service takes for no addresses: it says which by their places among those sent. */
async function addAll(addresses: readonly PastedAddress[], reason: string | null) {
  const body = { emails: addresses.map(({ email }) => email), reason };
  try {
    return { added: (await api.post('/api/v1/suppressions', { body })).added, refused: [] };
  } catch (error) {
    const wrong = new Set(
      error instanceof MailsondeError ? wrongFieldsOf(error).flatMap(({ field }) => placeIn(field)) : [],
    );
    if (wrong.size === 0) throw error;
    const rest = addresses.filter((_, i) => !wrong.has(i));
    const refused = addresses.flatMap(({ email, number }, i) => (wrong.has(i) ? [{ number, text: email }] : []));
    if (rest.length === 0) return { added: 0, refused };
    const again = await api.post('/api/v1/suppressions', { body: { ...body, emails: rest.map((one) => one.email) } });
    return { added: again.added, refused };
  }
}

function placeIn(field: string): number[] {
  const [, place] = /^emails\[(\d+)\]$/.exec(field) ?? [];
  return place === undefined ? [] : [Number(place)];
}

function Reporting() {
  const { data, reload } = useLoad((signal) => api.get('/api/v1/suppression-settings', { signal }));
  if (data.value === null) return null;
  const change = async (isReported: boolean) => {
    await api.patch('/api/v1/suppression-settings', { body: { report_in_verify: isReported } });
    await reload();
  };
  return (
    <CheckField
      label="Say in each verification whether the address is suppressed"
      value={{ value: data.value.report_in_verify }}
      onPick={(isChecked) => void change(isChecked)}
    />
  );
}

/** By its mark or its zeros; what is no UTF-8 is as old Windows programs write it. */
function charsetOf(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (b === 0 && a !== 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0)) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

import type { Part } from '../parts/paged-table.js';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ActionButton, ActionForm } from '../parts/action.js';
import { Dialog } from '../parts/dialog.js';
import { SelectField, TextField } from '../parts/field.js';
import { Time } from '../parts/time.js';
import { daysAhead, endOfDay, FOREVER, isForever, tomorrow } from './days.js';
import { announce } from '../parts/announcer.js';
import { FailureNote } from '../parts/failure.js';
import { useLoad } from '../parts/load.js';
import { api, take } from '../session/api.js';
import { useKeyNames } from '../session/key-names.js';
import type { Monitor } from './monitors-screen.js';

const LENGTHS = [
  ['1', 'a day'],
  ['7', 'a week'],
  ['30', '30 days'],
  ['365', 'a year'],
  ['date', 'until a date'],
  ['forever', 'until I end it'],
] as const;

interface MuteDialogProps {
  readonly title: string;
  readonly onMute: (until: string, note: string | null) => Promise<void>;
  readonly onClose: () => void;
  readonly note?: string | null;
  /** What is muted, where that is chosen here too. */
  readonly children?: ComponentChildren;
  readonly disabled?: boolean;
}

/** For how long nobody is told of something, and why. */
export function MuteDialog({ title, onMute, onClose, note: before = null, children, disabled }: MuteDialogProps) {
  const length = useSignal<(typeof LENGTHS)[number][0]>('7');
  const date = useSignal('');
  const note = useSignal(before ?? '');
  const until = (): string => {
    if (length.value === 'forever') return FOREVER;
    return length.value === 'date' ? endOfDay(date.value) : daysAhead(Number(length.value));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>It stays in view, and nobody is told of it meanwhile.</p>
      <ActionForm
        action="Mute"
        disabled={disabled}
        onAct={async () => {
          await onMute(until(), note.value.trim() === '' ? null : note.value.trim());
          onClose();
        }}
      >
        {children}
        <SelectField label="For how long" value={length} options={LENGTHS} />
        {length.value === 'date' && (
          <TextField
            label="Until the end of"
            type="date"
            required
            value={date}
            min={tomorrow()}
            hint="In your time zone."
          />
        )}
        <TextField label="Note" value={note} maxLength={1_000} hint="Why, for whoever looks at it later." />
      </ActionForm>
    </Dialog>
  );
}

/** As a part of a sentence. */
export function Until({ at }: { readonly at: string }) {
  if (isForever(at)) return <>until you end it</>;
  return (
    <>
      until <Time at={at} />
    </>
  );
}

/** @param until null: its owner is told of it again @throws MailsondeError */
export async function muteList(id: number, list: string, until: string | null, note: string | null): Promise<void> {
  const params = { path: { id, list } };
  const body = until === null ? { muted_until: null } : { muted_until: until, note };
  await take(api.PATCH('/api/v1/monitors/{id}/lists/{list}', { params, body }));
  announce(until === null ? `You will be told what ${list} says.` : `${list} is muted.`);
}

/** Block lists of which nothing is told: since when, until when, by whom and why. */
export function MutedLists({ of: monitor, onChanged }: Part<Monitor>) {
  const { id, muted_lists: muted, checks } = monitor;
  const isChoosing = useSignal(false);
  if (checks !== null && !checks.includes('blacklists') && muted.length === 0) return null;
  return (
    <section aria-labelledby="muted">
      <h2 id="muted">Muted block lists</h2>
      {muted.length === 0 ? (
        <p class="hint">None: you are told what every block list says. A list that you do not mind can be muted.</p>
      ) : (
        <Muted of={monitor} onChanged={onChanged} />
      )}
      <button type="button" class="small" onClick={() => (isChoosing.value = true)}>
        Mute a block list
      </button>
      {isChoosing.value && (
        <ChooseList
          muted={muted.map(({ list }) => list)}
          onClose={() => (isChoosing.value = false)}
          onMute={async (list, until, note) => {
            await muteList(id, list, until, note);
            await onChanged();
          }}
        />
      )}
    </section>
  );
}

function Muted({ of: { id, muted_lists: muted }, onChanged }: Part<Monitor>) {
  const keys = useKeyNames();
  const unmute = async (list: string) => {
    await muteList(id, list, null, null);
    await onChanged();
  };
  return (
    <ul class="plain" aria-labelledby="muted">
      {muted.map(({ list, muted_until: until, since, key_id: key, note }) => (
        <li key={list} class="actions">
          <span class="wrap">
            <strong class="mono">{list}</strong> is muted <Until at={until} />
            {note !== null && ` (${note})`}
            <span class="hint below-name">
              Since <Time at={since} none="before this was written down" />
              {key !== null && `, by the key ${keys.get(key) ?? 'of somebody else'}`}
            </span>
          </span>
          <ActionButton class="small" label={`Unmute ${list}`} onAct={() => unmute(list)}>
            Unmute
          </ActionButton>
        </li>
      ))}
    </ul>
  );
}

interface ChooseListProps {
  readonly muted: readonly string[];
  readonly onClose: () => void;
  readonly onMute: (list: string, until: string, note: string | null) => Promise<void>;
}

function ChooseList({ muted, onClose, onMute }: ChooseListProps) {
  const picked = useSignal('');
  const { data, failure } = useLoad((signal) => take(api.GET('/api/v1/blacklists', { signal })));
  const lists = (data.value?.blacklists ?? []).filter(({ id }) => !muted.includes(id));
  return (
    <MuteDialog
      title="Mute a block list"
      disabled={picked.value === ''}
      onClose={onClose}
      onMute={(until, note) => onMute(picked.value, until, note)}
    >
      <FailureNote failure={failure.value} />
      <SelectField
        label="Block list"
        value={picked}
        options={[
          ['', data.value === null ? 'Loading …' : 'Choose one'] as const,
          ...lists.map(({ id, name }) => [id, `${name} (${id})`] as const),
        ]}
        hint="All that it says of what this monitor watches is muted."
      />
    </MuteDialog>
  );
}

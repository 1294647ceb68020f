import { type Part, Section, useLoad } from '../parts/listing.js';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { FormDialog } from '../parts/dialog.js';
import { ActionButton, SelectField, TextField } from '../parts/form.js';
import { Time } from '../parts/values.js';
import { daysAhead, endOfDay, FOREVER, isForever, tomorrow } from './days.js';
import { announce } from '../parts/announcer.js';
import { FailureNote } from '../parts/failure.js';
import { api } from '../session/api.js';
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

interface MuteProps {
  /** What the button says that asks. */
  readonly action: string;
  readonly title: string;
  readonly onMute: (until: string, note: string | null) => Promise<void>;
  /** What is muted, where that is chosen here too. */
  readonly children?: ComponentChildren;
  readonly isIncomplete?: boolean;
}

/** For how long nobody is told of something, and why. */
export function Mute({ onMute, children, ...opener }: MuteProps) {
  const length = useSignal<(typeof LENGTHS)[number][0]>('7');
  const date = useSignal('');
  const note = useSignal('');
  const until = (): string => {
    if (length.value === 'forever') return FOREVER;
    return length.value === 'date' ? endOfDay(date.value) : daysAhead(Number(length.value));
  };
  return (
    <FormDialog
      {...opener}
      class="small"
      submit="Mute"
      about={<p>It stays in view, and nobody is told of it meanwhile.</p>}
      onOpen={() => {
        length.value = '7';
        date.value = note.value = '';
      }}
      onAct={() => onMute(until(), note.value.trim() || null)}
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
    </FormDialog>
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
  await api.patch('/api/v1/monitors/{id}/lists/{list}', { ...params, body });
  announce(until === null ? `You will be told what ${list} says.` : `${list} is muted.`);
}

/** Block lists of which nothing is told: since when, until when, by whom and why. */
export function MutedLists({ of: monitor, onChanged }: Part<Monitor>) {
  const { id, muted_lists: muted, checks } = monitor;
  if (checks !== null && !checks.includes('blacklists') && muted.length === 0) return null;
  return (
    <Section id="muted" title="Muted block lists">
      {muted.length === 0 ? (
        <p class="hint">None: you are told what every block list says. A list that you do not mind can be muted.</p>
      ) : (
        <Muted of={monitor} onChanged={onChanged} />
      )}
      <MuteAList
        muted={muted.map(({ list }) => list)}
        onMute={async (list, until, note) => {
          await muteList(id, list, until, note);
          await onChanged();
        }}
      />
    </Section>
  );
}

function Muted({ of: { id, muted_lists: muted }, onChanged }: Part<Monitor>) {
  const keys = useKeyNames();
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
          <ActionButton
            class="small"
            label={`Unmute ${list}`}
            onAct={() => muteList(id, list, null, null)}
            onDone={onChanged}
          >
            Unmute
          </ActionButton>
        </li>
      ))}
    </ul>
  );
}

interface MuteAListProps {
  readonly muted: readonly string[];
  readonly onMute: (list: string, until: string, note: string | null) => Promise<void>;
}

function MuteAList({ muted, onMute }: MuteAListProps) {
  const picked = useSignal('');
  return (
    <Mute
      action="Mute a block list"
      title="Mute a block list"
      isIncomplete={picked.value === ''}
      onMute={(until, note) => onMute(picked.value, until, note)}
    >
      <ListChoice muted={muted} picked={picked} />
    </Mute>
  );
}

function ListChoice({ muted, picked }: { readonly muted: readonly string[]; readonly picked: Signal<string> }) {
  const { data, failure } = useLoad((signal) => api.get('/api/v1/blacklists', { signal }));
  const lists = (data.value?.blacklists ?? []).filter(({ id }) => !muted.includes(id));
  useEffect(() => {
    picked.value = '';
  }, []);
  return (
    <>
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
    </>
  );
}

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ActionForm } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { Time } from '../../parts/time.js';
import { daysAhead, endOfDay, FOREVER, isForever, tomorrow } from './mute-times.js';

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

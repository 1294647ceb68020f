import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Account } from '../session/api.js';
import { ActionForm } from '../parts/action.js';
import { wordsIn } from '../parts/pasted-words.js';
import { CheckField, SelectField, TextField } from '../parts/field.js';
import { duration } from '../parts/figures.js';

export type Monitor = Account['schemas']['MonitorReply'];
type Settings = Pick<
  Monitor,
  'name' | 'interval_minutes' | 'dkim_selectors' | 'sending_addresses' | 'alert_from' | 'notify_first'
>;

export const titleOf = ({ name, target }: Pick<Monitor, 'name' | 'target'>): string => name ?? target;
const SINGLE: Readonly<Record<number, string>> = { 60: 'every hour', 1_440: 'every day', 10_080: 'every week' };
export const every = (minutes: number): string => SINGLE[minutes] ?? `every ${duration(minutes * 60)}`;

const INTERVALS = [15, 30, 60, 180, 360, 720, 1_440, 10_080] as const;

const ALERTS: readonly (readonly [Monitor['alert_from'], string])[] = [
  ['warning', 'Warnings and worse'],
  ['critical', 'Only what is critical'],
  ['info', 'Everything'],
];

interface SettingsFormProps {
  readonly of: Settings;
  readonly isDomain: boolean;
  readonly action: string;
  readonly onSave: (settings: Settings) => Promise<void>;
  /** What stands above, such as the target of a new one. */
  readonly children?: ComponentChildren;
}

/** What an owner may choose of a monitor. */
export function SettingsForm({ of, isDomain, action, onSave, children }: SettingsFormProps) {
  const name = useSignal(of.name ?? '');
  const interval = useSignal(String(of.interval_minutes));
  const alertFrom = useSignal(of.alert_from);
  const notifyFirst = useSignal(of.notify_first);
  const selectors = useSignal(of.dkim_selectors.join(' '));
  const senders = useSignal(of.sending_addresses.join(' '));
  const save = () =>
    onSave({
      name: name.value.trim() === '' ? null : name.value.trim(),
      interval_minutes: Number(interval.value),
      alert_from: alertFrom.value,
      notify_first: notifyFirst.value,
      dkim_selectors: isDomain ? wordsIn(selectors.value) : [],
      sending_addresses: isDomain ? wordsIn(senders.value) : [],
    });
  const intervals = [...new Set([...INTERVALS, of.interval_minutes])].toSorted((a, b) => a - b);
  return (
    <ActionForm action={action} onAct={save}>
      {children}
      <TextField label="Name" value={name} maxLength={200} hint="For you; without one its target stands for it." />
      <div class="row">
        <SelectField
          label="Look at it"
          value={interval}
          options={intervals.map((minutes) => [String(minutes), every(minutes)] as const)}
        />
        <SelectField label="Tell me of" value={alertFrom} options={ALERTS} />
      </div>
      {isDomain && (
        <div class="row">
          <TextField label="DKIM selectors" value={selectors} placeholder="s1, google" />
          <TextField label="Sending addresses" value={senders} placeholder="198.51.100.25" />
        </div>
      )}
      <CheckField
        label="Tell me what the first look finds, too"
        isChecked={notifyFirst.value}
        onChange={(isChecked) => (notifyFirst.value = isChecked)}
      />
    </ActionForm>
  );
}

import { useSignal } from '@preact/signals';
import { ActionButton } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { FailureNote } from '../../parts/failure.js';
import { SelectField } from '../../parts/field.js';
import { useLoad } from '../../parts/load.js';
import { Time } from '../../parts/time.js';
import { api, take } from '../../shell/api.js';
import { useKeyNames } from '../../shell/key-names.js';
import type { Monitor } from './monitor.js';
import { MuteDialog, Until } from './mute.js';

/** @param until null: its owner is told of it again @throws MailsondeError */
export async function muteList(id: number, list: string, until: string | null, note: string | null): Promise<void> {
  const params = { path: { id, list } };
  const body = until === null ? { muted_until: null } : { muted_until: until, note };
  await take(api.PATCH('/api/v1/monitors/{id}/lists/{list}', { params, body }));
  announce(until === null ? `You will be told what ${list} says.` : `${list} is muted.`);
}

interface MutedListsProps {
  readonly of: Monitor;
  readonly onChanged: () => Promise<void>;
}

/** Block lists of which nothing is told: since when, until when, by whom and why. */
export function MutedLists({ of: monitor, onChanged }: MutedListsProps) {
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

function Muted({ of: { id, muted_lists: muted }, onChanged }: MutedListsProps) {
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

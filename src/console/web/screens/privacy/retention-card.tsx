import { useSignal } from '@preact/signals';
import { announce } from '../../parts/announcer.js';
import { ActionForm } from '../../parts/action.js';
import { FailureNote } from '../../parts/failure.js';
import { TextField } from '../../parts/field.js';
import { counted } from '../../parts/figures.js';
import { useLoad } from '../../parts/load.js';
import { Waiting } from '../../parts/paged-table.js';
import { type Account, api, take } from '../../shell/api.js';
import { may } from '../../shell/session.js';

type Settings = Account['schemas']['BatchSettingsReply'];

/** How long lists are kept that do not say it themselves. */
export function RetentionCard() {
  const { data, failure, reload } = useLoad((signal) => take(api.GET('/api/v1/batch-settings', { signal })));
  return (
    <section class="card" aria-labelledby="retention">
      <h2 id="retention">How long lists are kept</h2>
      <FailureNote failure={failure.value} />
      {data.value === null ? failure.value === null && <Waiting /> : <Choice of={data.value} onSet={reload} />}
    </section>
  );
}

interface ChoiceProps {
  readonly of: Settings;
  readonly onSet: () => Promise<void>;
}

function Choice({ of: { retention_days: days, max_retention_days: most }, onSet }: ChoiceProps) {
  const chosen = useSignal(String(days));
  const set = async () => {
    const body = { retention_days: chosen.value.trim() === '' ? null : Number(chosen.value) };
    await take(api.PATCH('/api/v1/batch-settings', { body }));
    await onSet();
    announce('New lists are kept as long as you said.');
  };
  return (
    <>
      <p>
        A new list is deleted with every address <strong>{counted(days, 'day')}</strong> after its end, unless it says
        something else when it is sent, or has a schedule. Lists that are there already keep their date.
      </p>
      {may('settings') && (
        <ActionForm action="Set" class="" onAct={set}>
          <TextField
            label="Days"
            type="number"
            value={chosen}
            min={1}
            max={most}
            hint={`At most ${most}; empty: as long as the plan lets them.`}
          />
        </ActionForm>
      )}
    </>
  );
}

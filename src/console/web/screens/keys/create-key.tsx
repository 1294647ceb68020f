import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ActionForm } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { SelectField, TextField } from '../../parts/field.js';
import { api, take } from '../../shell/api.js';
import { session } from '../../shell/session.js';
import { CeilingFields, ceilingsIn, useCeilings } from './ceiling-fields.js';
import type { Issued } from './issued-key.js';
import { networksIn, type Permission } from './key.js';
import { ScopeFields } from './scope-fields.js';

interface CreateKeyProps {
  readonly onDone: (issued: Issued) => void;
  readonly onClose: () => void;
}

export function CreateKey({ onDone, onClose }: CreateKeyProps) {
  const isSimulated = session.value?.simulated === true;
  const name = useSignal('');
  const kind = useSignal<'live' | 'test'>(isSimulated ? 'test' : 'live');
  const expires = useSignal('');
  const permissions = useSignal<readonly Permission[] | null>(null);
  const networks = useSignal('');
  const ceilings = useCeilings(null);
  const idempotencyKey = useRef(crypto.randomUUID());
  const create = async () => {
    const body = {
      kind: kind.value,
      name: name.value.trim() || null,
      expires_at: expires.value === '' ? null : new Date(expires.value).toISOString(),
      permissions: permissions.value === null ? null : [...permissions.value],
      networks: networksIn(networks.value),
      ...ceilingsIn(ceilings),
    };
    const header = { 'Idempotency-Key': idempotencyKey.current };
    onDone(await take(api.POST('/api/v1/keys', { params: { header }, body })));
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <ActionForm action="Make the key" onAct={create}>
        <TextField label="Name" value={name} maxLength={80} hint="What it is for, such as the system that uses it." />
        <div class="row">
          <SelectField
            label="Kind"
            value={kind}
            options={
              isSimulated
                ? [['test', 'Test: simulated, free']]
                : [
                    ['live', 'Live'],
                    ['test', 'Test: simulated, free'],
                  ]
            }
          />
          <TextField label="Works until" type="datetime-local" value={expires} hint="Empty: for ever." />
        </div>
        <ScopeFields permissions={permissions} networks={networks} />
        <CeilingFields of={ceilings} />
      </ActionForm>
    </Dialog>
  );
}

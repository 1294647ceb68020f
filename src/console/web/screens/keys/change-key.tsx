import { useSignal } from '@preact/signals';
import { ActionForm } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { api, take } from '../../shell/api.js';
import { CeilingFields, ceilingsIn, useCeilings } from './ceiling-fields.js';
import { type Key, nameOf, networksIn, type Permission } from './key.js';
import { ScopeFields } from './scope-fields.js';

export interface KeyDialogProps {
  readonly of: Key;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ChangeKey({ of: key, onDone, onClose }: KeyDialogProps) {
  const name = useSignal(key.name ?? '');
  const permissions = useSignal(key.permissions as readonly Permission[] | null);
  const networks = useSignal(key.networks?.join('\n') ?? '');
  const ceilings = useCeilings(key);
  const change = async () => {
    const body = {
      name: name.value.trim() || null,
      permissions: permissions.value === null ? null : [...permissions.value],
      networks: networksIn(networks.value),
      ...ceilingsIn(ceilings),
    };
    await take(api.PATCH('/api/v1/keys/{id}', { params: { path: { id: key.id } }, body }));
    announce('The key is changed.');
    onDone();
  };
  return (
    <Dialog title={`Change ${nameOf(key)}`} onClose={onClose}>
      <ActionForm action="Save" onAct={change}>
        <TextField label="Name" value={name} maxLength={80} />
        <ScopeFields permissions={permissions} networks={networks} />
        <CeilingFields of={ceilings} />
      </ActionForm>
    </Dialog>
  );
}

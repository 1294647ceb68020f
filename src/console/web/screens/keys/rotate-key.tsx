import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ActionForm } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { SelectField } from '../../parts/field.js';
import { api, take } from '../../shell/api.js';
import type { Issued } from './issued-key.js';
import { type Key, nameOf } from './key.js';

const GRACES = [
  ['0', 'at once'],
  ['3600', 'after an hour'],
  ['86400', 'after a day'],
  ['604800', 'after a week'],
] as const;

interface RotateKeyProps {
  readonly of: Key;
  readonly onDone: (issued: Issued) => void;
  readonly onClose: () => void;
}

export function RotateKey({ of: key, onDone, onClose }: RotateKeyProps) {
  const grace = useSignal<(typeof GRACES)[number][0]>('86400');
  const idempotencyKey = useRef(crypto.randomUUID());
  const rotate = async () => {
    const params = { path: { id: key.id }, header: { 'Idempotency-Key': idempotencyKey.current } };
    const body = { grace_seconds: Number(grace.value) };
    onDone(await take(api.POST('/api/v1/keys/{id}/rotate', { params, body })));
  };
  return (
    <Dialog title={`Rotate ${nameOf(key)}`} onClose={onClose}>
      <p>You get a new key with the same name, permissions and networks. The old one goes on for a while.</p>
      <ActionForm action="Make the new key" onAct={rotate}>
        <SelectField label="The old key ends" value={grace} options={GRACES} />
      </ActionForm>
    </Dialog>
  );
}

import { useLocation } from 'preact-iso';
import { ActionButton } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { Dialog } from '../../parts/dialog.js';
import { counted } from '../../parts/figures.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import type { Batch } from './state-name.js';

interface DeleteBatchProps {
  readonly batch: Batch;
  readonly onClose: () => void;
}

export function DeleteBatch({ batch: { id, name, total_emails: rows }, onClose }: DeleteBatchProps) {
  const { route } = useLocation();
  const remove = async () => {
    await take(api.DELETE('/api/v1/verify/batch/{id}', { params: { path: { id } } }));
    announce('The list is deleted.');
    route(linkTo('/batches'));
  };
  return (
    <Dialog title="Delete this list?" onClose={onClose}>
      <p>
        {name ?? `List ${id}`}: {counted(rows, 'row')}, their columns and their results are deleted for ever. What was
        charged stays in the ledger, without addresses.
      </p>
      <div class="actions">
        <ActionButton class="danger" onAct={remove}>
          Delete for ever
        </ActionButton>
        <button type="button" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}

import { Dialog } from '../../parts/dialog.js';
import { Empty, PagedTable } from '../../parts/paged-table.js';
import { type Account, api, take } from '../../shell/api.js';

type Changes = Account['schemas']['ListChangesReply'];
type Answer = Account['schemas']['AnswerReply'];

interface ChangesDialogProps {
  readonly listId: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** Whose verdict the newest run of a list has changed. */
export function ChangesDialog({ listId, name, onClose }: ChangesDialogProps) {
  return (
    <Dialog title={`Changes in ${name}`} onClose={onClose}>
      <PagedTable<Changes['changes'][number]>
        label="Changes"
        on={[listId]}
        keyOf={({ email }) => email}
        load={async (cursor, signal) => {
          const params = { path: { id: listId }, query: { cursor } };
          const page = await take(api.GET('/api/v1/lists/{id}/changes', { params, signal }));
          return { rows: page.changes, nextCursor: page.next_cursor };
        }}
        empty={<Empty title="The newest run has changed no verdict" />}
        columns={[
          { name: 'Address', cell: ({ email }) => <span class="mono wrap">{email}</span> },
          { name: 'Before', cell: ({ before }) => <AnswerCell of={before} /> },
          { name: 'Now', cell: ({ after }) => <AnswerCell of={after} /> },
        ]}
      />
    </Dialog>
  );
}

function AnswerCell({ of: { verdict, reason } }: { readonly of: Answer }) {
  return (
    <>
      <span class={`badge ${verdict}`}>{verdict}</span> {reason.replaceAll('_', ' ')}
    </>
  );
}

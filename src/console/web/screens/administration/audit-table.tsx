import { Empty, Table } from '../../parts/paged-table.js';
import type { Column } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import type { Admin } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';

export type AuditEntry = Admin['schemas']['AdminAuditEntryReply'];

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'When', cell: (entry) => <Time at={entry.at} /> },
  { name: 'Who', cell: ({ actor }) => actor.name },
  { name: 'Act', cell: ({ act }) => <code>{act}</code> },
  {
    name: 'Account',
    cell: (entry) =>
      entry.account_id === null ? (
        ''
      ) : (
        <a href={linkTo(`/accounts/${entry.account_id}`)}>{entry.account_id.slice(0, 8)}</a>
      ),
  },
  { name: 'From', cell: ({ from }) => <code>{from}</code> },
  { name: 'Details', cell: ({ details }) => <code class="long">{JSON.stringify(details)}</code> },
];

export function AuditTable({ rows }: { readonly rows: readonly AuditEntry[] }) {
  if (rows.length === 0) return <Empty title="Nothing is on record" />;
  return <Table label="Audit" rows={rows} keyOf={({ id }) => id} columns={AUDIT_COLUMNS} />;
}

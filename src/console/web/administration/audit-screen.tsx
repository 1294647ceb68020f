import { type Column, Empty, PagedTable, Table } from '../parts/paged-table.js';
import { type Admin, adminApi, take } from '../session/api.js';
import { Time } from '../parts/time.js';
import { linkTo } from '../parts/link.js';

/** What everybody did, newest first. */
export function AuditScreen() {
  return (
    <>
      <h1>Audit</h1>
      <p>Every act of administrators and accounts. What concerns one account stands on its page too.</p>
      <PagedTable
        label="Audit"
        load={async (cursor, signal) => {
          const reply = await take(adminApi.GET('/admin/v1/audit', { params: { query: { cursor } }, signal }));
          return reply as Admin['schemas']['AdminAuditPageReply'];
        }}
        rows={(page) => page.entries}
        keyOf={({ id }) => id}
        empty={<Empty title="Nothing is on record" />}
        columns={AUDIT_COLUMNS}
      />
    </>
  );
}

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

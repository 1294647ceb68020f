import { Empty, PagedTable } from '../../parts/paged-table.js';
import { type Admin, adminApi, take } from '../../shell/api.js';
import { AUDIT_COLUMNS } from './audit-table.js';

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
          const page = reply as Admin['schemas']['AdminAuditPageReply'];
          return { rows: page.entries, nextCursor: page.next_cursor };
        }}
        keyOf={({ id }) => id}
        empty={<Empty title="Nothing is on record" />}
        columns={AUDIT_COLUMNS}
      />
    </>
  );
}

import { type Columns, Listing, Table } from '../parts/listing.js';
import { AccountLink } from './accounts-screen.js';
import { type Admin, adminApi } from '../session/api.js';
import { Time } from '../parts/values.js';

/** What everybody did, newest first. */
export function AuditScreen() {
  return (
    <>
      <h1>Audit</h1>
      <p>Every act of administrators and accounts. What concerns one account stands on its page too.</p>
      <Listing
        label="Audit"
        load={(page) => adminApi.get('/admin/v1/audit', page())}
        rows="entries"
        empty="Nothing is on record"
        columns={AUDIT_COLUMNS}
      />
    </>
  );
}

export type AuditEntry = Admin['schemas']['AdminAuditEntryReply'];

export const AUDIT_COLUMNS: Columns<AuditEntry> = {
  When: (entry) => <Time at={entry.at} />,
  Who: ({ actor }) => actor.name,
  Act: ({ act }) => <code>{act}</code>,
  Account: ({ account_id: id }) => (id === null ? '' : <AccountLink id={id} />),
  From: ({ from }) => <code>{from}</code>,
  Details: ({ details }) => <code class="long">{JSON.stringify(details)}</code>,
};

export function AuditTable({ rows }: { readonly rows: readonly AuditEntry[] }) {
  return <Table label="Audit" rows={rows} columns={AUDIT_COLUMNS} empty="Nothing is on record" />;
}

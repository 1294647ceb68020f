import { Section } from '../parts/listing.js';
import { type Signal, useSignal } from '@preact/signals';
import { ActionButton } from '../parts/form.js';
import { announce } from '../parts/announcer.js';
import { Code } from '../parts/code.js';
import { RecordToPublish } from './findings.js';
import { type Account, api } from '../session/api.js';

type Ownership = Account['schemas']['OwnershipReply'];

const RESULTS: Readonly<Record<Ownership['look'], string>> = {
  found: 'The record is there.',
  missing: 'The record is not there yet.',
  no_answer: 'The DNS did not answer, so nothing has changed.',
};

interface ReportAddressProps {
  readonly id: number;
  readonly domain: string;
  /** Which reports are to come. */
  readonly of: 'dmarc' | 'tls';
  /** Goes up at every look: in test mode reports come with it. */
  readonly looks: Signal<number>;
}

/** Reports name who sends: only whoever can publish a record in the domain gets them. */
export function ReportAddress({ id, domain, of, looks }: ReportAddressProps) {
  const told = useSignal<Ownership | null>(null);
  const look = async () => {
    told.value = await api.post('/api/v1/monitors/{id}/verify-ownership', { path: { id } });
    announce(RESULTS[told.value.look]);
    looks.value++;
  };
  const proof = told.value;
  return (
    <Section id="proof" title="Getting reports" class="card wrapped">
      <p>
        Prove once that {domain} is yours; then it has an address of its own, to which {SENT_BY[of]} send reports. Where
        it is proven already, this shows the address again.
      </p>
      {proof !== null && (
        <>
          <p>
            <strong class={proof.verified ? 'valid' : 'risky'}>
              {proof.verified ? 'It is proven.' : 'It is not proven yet.'}
            </strong>{' '}
            {RESULTS[proof.look]} {proof.unanswered_why}
            {!proof.verified && ' Publish this record where the names of your domain are kept, then look again:'}
          </p>
          <Shown of={proof.record} why="that proves the domain" />
          {of === 'dmarc' ? <DmarcTag of={proof.dmarc_tag} /> : <TlsRecord of={proof.tls_record} />}
        </>
      )}
      <ActionButton class={proof === null ? 'primary' : undefined} onAct={look}>
        {proof === null ? 'Show the record, and look for it' : 'Look again'}
      </ActionButton>
    </Section>
  );
}

interface ShownProps {
  readonly of: NonNullable<Ownership['tls_record']>;
  readonly why: string;
}

function Shown({ of: { type, name, value }, why }: ShownProps) {
  return (
    <div class="fix">
      <p>
        <strong>
          {type} record {why}
        </strong>
      </p>
      <RecordToPublish what={`${type} record`} name={name} value={value} />
    </div>
  );
}

const SENT_BY = { dmarc: 'receivers', tls: 'senders' } as const;

function DmarcTag({ of: tag }: { readonly of: Ownership['dmarc_tag'] }) {
  if (tag === null) return null;
  return (
    <>
      <p>
        Then add this to the DMARC record, behind a comma where it has an address already. Leave the record above
        published.
      </p>
      <Code label="Tag of the DMARC record" text={tag} />
    </>
  );
}

function TlsRecord({ of: record }: { readonly of: Ownership['tls_record'] }) {
  if (record === null) return null;
  return (
    <>
      <p>
        Then publish this record, and leave the one above published. Where there is a record for TLS reports already,
        put the address behind its <code>rua=</code>, with a comma between both.
      </p>
      <Shown of={record} why="for TLS reports" />
    </>
  );
}

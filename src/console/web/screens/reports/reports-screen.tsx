import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { ActionButton } from '../../parts/action.js';
import { announce } from '../../parts/announcer.js';
import { Code } from '../../parts/code.js';
import { FailedScreen } from '../../parts/failure.js';
import { useLoad } from '../../parts/load.js';
import { Waiting } from '../../parts/paged-table.js';
import { type Account, api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { ReportList } from './report-list.js';
import { SourcesSection } from './sources-section.js';

type Ownership = Account['schemas']['OwnershipReply'];

/** What receivers report of the mail in a domain's name: who sends it, and how it fares. */
export function ReportsScreen() {
  const id = Number(useRoute().params['id']);
  const params = { path: { id } };
  const proven = useSignal(0);
  const { data, failure, reload } = useLoad(
    (signal) => take(api.GET('/api/v1/monitors/{id}', { params, signal })),
    [id],
  );
  if (failure.value !== null)
    return (
      <FailedScreen
        title="DMARC reports"
        failure={failure.value}
        onRetry={reload}
        to={linkTo('/monitors')}
        toTitle="All monitors"
      />
    );
  if (data.value === null) return <Waiting />;
  return (
    <>
      <p>
        <a href={linkTo(`/monitors/${id}`)}>The monitor</a>
      </p>
      <h1 class="long">DMARC reports about {data.value.target}</h1>
      <p>
        Receivers report once a day who sent mail in the name of a domain, and whether it passed. Somebody whom you do
        not know is either a service that you have forgotten, or a stranger.
      </p>
      <SourcesSection id={id} on={proven.value} />
      <ReportList id={id} on={proven.value} />
      <Proof id={id} domain={data.value.target} onLook={() => proven.value++} />
    </>
  );
}

const LOOKS: Readonly<Record<Ownership['look'], string>> = {
  found: 'The record is there.',
  missing: 'The record is not there yet.',
  no_answer: 'The DNS did not answer, so nothing has changed.',
};

interface ProofProps {
  readonly id: number;
  readonly domain: string;
  readonly onLook: () => void;
}

/** Reports name who sends: only whoever can publish a record in the domain gets them. */
function Proof({ id, domain, onLook }: ProofProps) {
  const told = useSignal<Ownership | null>(null);
  const look = async () => {
    told.value = await take(api.POST('/api/v1/monitors/{id}/verify-ownership', { params: { path: { id } } }));
    announce(LOOKS[told.value.look]);
    onLook();
  };
  const proof = told.value;
  return (
    <section class="card wrapped" aria-labelledby="proof">
      <h2 id="proof">Getting reports</h2>
      <p>
        Prove once that {domain} is yours; then it has an address of its own, to which receivers send reports. Where it
        is proven already, this shows the address again.
      </p>
      {proof !== null && (
        <>
          <p>
            <strong class={proof.verified ? 'valid' : 'risky'}>
              {proof.verified ? 'It is proven.' : 'It is not proven yet.'}
            </strong>{' '}
            {LOOKS[proof.look]}
          </p>
          <Code label={`Name of the ${proof.record.type} record`} text={proof.record.name} />
          <Code label={`The ${proof.record.type} record`} text={proof.record.value} />
          {proof.dmarc_tag !== null && (
            <>
              <p>
                Then add this to the DMARC record, behind a comma where it has an address already. Leave the record
                above published.
              </p>
              <Code label="Tag of the DMARC record" text={proof.dmarc_tag} />
            </>
          )}
        </>
      )}
      <ActionButton class={proof === null ? 'primary' : undefined} onAct={look}>
        {proof === null ? 'Show the record, and look for it' : 'Look again'}
      </ActionButton>
    </section>
  );
}

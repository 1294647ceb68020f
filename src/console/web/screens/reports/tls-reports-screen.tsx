import { useSignal } from '@preact/signals';
import { FailureNote } from '../../parts/failure.js';
import { useLoad } from '../../parts/load.js';
import { Empty, Waiting } from '../../parts/paged-table.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { Monitored } from './monitored.js';
import { PeriodFields, usePeriod } from './period.js';
import { ReportAddress } from './report-address.js';
import type { ReportedProps } from './sources-section.js';
import { TlsFailures } from './tls-failures.js';
import { TlsReportList } from './tls-report-list.js';
import { TlsSessions } from './tls-sessions.js';
import { UnreadableList } from './unreadable-list.js';

/** What senders report of the encryption of mail to a domain: how much of it failed, why, and at which mail host (RFC 8460). */
export function TlsReportsScreen() {
  const looks = useSignal(0);
  return (
    <Monitored title="TLS reports">
      {(id, domain) => (
        <>
          <p>
            Senders report once a day how many of their connections to the mail hosts of a domain were encrypted as its
            policy wants (MTA-STS or DANE), and why others failed. Who sends in the name of the domain is told by{' '}
            <a href={linkTo(`/monitors/${id}/reports`)}>DMARC reports</a>.
          </p>
          <Reported id={id} on={looks.value} domain={domain} />
          <TlsReportList id={id} on={looks.value} domain={domain} />
          <UnreadableList id={id} on={looks.value} />
          <ReportAddress id={id} domain={domain} of="tls" looks={looks} />
        </>
      )}
    </Monitored>
  );
}

/** Of the days that the reader has chosen: how many connections failed, and why. */
function Reported({ id, on, domain }: ReportedProps & { readonly domain: string }) {
  const period = usePeriod();
  const { from, to } = period;
  const { data, failure } = useLoad(
    (signal) => {
      const params = { path: { id }, query: { from: from.value, to: to.value } };
      return take(api.GET('/api/v1/monitors/{id}/tls-failures', { params, signal }));
    },
    [id, on, from.value, to.value],
  );
  const reported = data.value;
  return (
    <>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Connections</h2>
        <PeriodFields of={period} leftOut={data.value?.reports_left_out} />
        <FailureNote failure={failure.value} />
        {reported === null ? (
          failure.value === null && <Waiting />
        ) : reported.reports === 0 ? (
          <Empty title="Nothing was reported in these days">
            <p>
              Reports come once a day, the first of them a day after the record at{' '}
              <code class="wrap">_smtp._tls.{domain}.</code> is published: <a href="#proof">get the record</a>.
            </p>
          </Empty>
        ) : (
          <TlsSessions of={reported} />
        )}
      </section>
      {reported !== null && reported.reports > 0 && <TlsFailures of={reported} domain={domain} />}
    </>
  );
}

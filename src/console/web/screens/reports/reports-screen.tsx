import { useSignal } from '@preact/signals';
import { linkTo } from '../../shell/routes.js';
import { Monitored } from './monitored.js';
import { ReportAddress } from './report-address.js';
import { ReportList } from './report-list.js';
import { SourcesSection } from './sources-section.js';
import { UnreadableList } from './unreadable-list.js';

/** What receivers report of the mail in a domain's name: who sends it, and how it fares. */
export function ReportsScreen() {
  const looks = useSignal(0);
  return (
    <Monitored title="DMARC reports">
      {(id, domain) => (
        <>
          <p>
            Receivers report once a day who sent mail in the name of a domain, and whether it passed. Somebody whom you
            do not know is either a service that you have forgotten, or a stranger. Whether mail to the domain is
            encrypted is told by <a href={linkTo(`/monitors/${id}/tls-reports`)}>TLS reports</a>.
          </p>
          <SourcesSection id={id} on={looks.value} />
          <ReportList id={id} on={looks.value} />
          <UnreadableList id={id} on={looks.value} />
          <ReportAddress id={id} domain={domain} of="dmarc" looks={looks} />
        </>
      )}
    </Monitored>
  );
}

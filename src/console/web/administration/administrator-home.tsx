import { Attention, type Concern, type Watch } from '../parts/attention.js';
import { counted } from '../parts/values.js';
import { type Admin, adminApi } from '../session/api.js';
import { CHECKS } from './egress-screen.js';
import { LIES } from './health-screen.js';

type Source = Admin['schemas']['EgressSourceReply'];
type Severity = Concern['severity'];

const WATCHES: readonly Watch[] = [
  { name: 'workers, port 25, DNS resolvers', find: concernsOfMachines },
  {
    name: 'sending addresses',
    find: async (signal) => (await adminApi.get('/admin/v1/egress', { signal })).sources.flatMap(ofSource),
  },
];

/** What needs an administrator. */
export function AdministratorHome() {
  return (
    <>
      <h1>Home</h1>
      <Attention of={WATCHES} />
    </>
  );
}

async function concernsOfMachines(signal: AbortSignal): Promise<Concern[]> {
  const work = await adminApi.get('/admin/v1/workers', { signal });
  const concern = (severity: Severity, title: string, text: string): Concern => ({
    title,
    href: '/console/health',
    severity,
    text,
  });
  return [
    ...(work.workers.length > 0
      ? []
      : [concern('critical', 'No worker is alive', 'Lists and webhooks wait until one is started.')]),
    ...work.unworked_regions.map(({ region, batches }) => {
      const waiting = counted(batches, 'batch', 'batches');
      return concern('critical', `Region ${region}`, `No worker of this region is alive. Waiting: ${waiting}.`);
    }),
    ...work.resolver_doubts.map(({ machine, finding }) =>
      concern('critical', `DNS resolver of ${machine}`, `It ${LIES[finding]}: what needs the DNS is unknown there.`),
    ),
    ...work.port_25.flatMap(({ machine, state }) =>
      state === 'open'
        ? []
        : [concern('critical', `Port 25 of ${machine}`, 'It is blocked: mailboxes are unknown from there.')],
    ),
    ...(work.port_25.length > 0
      ? []
      : [concern('unknown', 'Port 25', 'No mail host was asked since the start, so its status is unknown.')]),
  ];
}

function ofSource({ name, condition, reason, checks, circuits, processes }: Source): Concern[] {
  const concern = (severity: Severity, title: string, text: string): Concern => ({
    title: `${name}: ${title}`,
    href: '/console/egress',
    severity,
    text,
  });
  const unknown = Object.entries(CHECKS).filter(
    ([check]) => !checks.some((one) => one.check === check && one.state !== 'unknown'),
  );
  return [
    ...checks
      .filter(({ state }) => state === 'fail')
      .map(({ check, text }) => concern('critical', CHECKS[check], text)),
    ...(condition === 'resting' ? [concern('critical', 'resting', reason ?? '')] : []),
    ...processes.flatMap(({ machine, fault }) =>
      fault === null ? [] : [concern('critical', `cannot be used on ${machine}`, fault)],
    ),
    ...circuits.map(({ operator, last_refusal: refusal }) => concern('warning', `refused by ${operator}`, refusal)),
    ...(unknown.length === 0
      ? []
      : [concern('unknown', 'not known yet', unknown.map(([, title]) => title).join(', '))]),
  ];
}

import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { useLoad } from '../../parts/load.js';
import { Unloaded } from '../../parts/paged-table.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';

interface MonitoredProps {
  readonly title: string;
  readonly children: (id: number, domain: string) => ComponentChildren;
}

/** A screen of the reports about the domain of a monitor, under its heading. */
export function Monitored({ title, children }: MonitoredProps) {
  const id = Number(useRoute().params['id']);
  const loaded = useLoad(
    (signal) => take(api.GET('/api/v1/monitors/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  const { data, failure } = loaded;
  if (data.value === null || failure.value !== null)
    return <Unloaded of={loaded} title={title} to={linkTo('/monitors')} toTitle="All monitors" />;
  return (
    <>
      <p>
        <a href={linkTo(`/monitors/${id}`)}>The monitor</a>
      </p>
      <h1 class="long">
        {title} about {data.value.target}
      </h1>
      {children(id, data.value.target)}
    </>
  );
}

import { histogram } from './metrics.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const duration = histogram(
  'mailsonde_http_request_duration_seconds',
  'From the head of a request to the end of its reply, by pattern of the route and class of the status.',
  [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  ['route', 'method', 'status'],
);

/** @param route its pattern; a request that no route takes has none */
export function observeRequest(method: string, route: string | undefined, status: number, ms: number): void {
  const labels = {
    route: route ?? 'none',
    method: METHODS.has(method) ? method : 'other',
    status: `${Math.floor(status / 100)}xx`,
  };
  duration.observe(labels, ms / 1000);
}

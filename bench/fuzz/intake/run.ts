import { seededRandom } from '../mutate.js';
import { exchangeOf } from './exchange.js';
import { faultOf } from './judge.js';
import { Pick } from './pick.js';
import { anyRequest } from './requests.js';

export interface IntakeFuzz {
  readonly port: number;
  readonly routes: readonly string[];
  readonly keys: readonly string[];
  readonly requests: number;
  readonly seed: number;
}

export interface IntakeFault {
  /** Of the request in this run: the same seed makes the same one. */
  readonly number: number;
  readonly line: string;
  readonly fault: string;
  /** As it was sent. */
  readonly sent: string;
}

const AT_ONCE = 16;
const MAX_FAULTS = 20;

/** Every route that takes a body, `METHOD /path/:id`, from what the service says of itself. */
export async function bodyRoutes(port: number): Promise<string[]> {
  const found = new Set(['POST /mcp', 'POST /nowhere', 'POST /%zz', 'GET /healthz']);
  for (const path of ['/api/v1/openapi.json', '/agent-gateway/openapi.json']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
    for (const [pattern, operations] of Object.entries(paths))
      for (const method of Object.keys(operations))
        if (['post', 'put', 'patch'].includes(method))
          found.add(`${method.toUpperCase()} ${pattern.replace(/\{(\w+)\}/g, ':$1')}`);
  }
  return [...found];
}

/** Sends seeded requests, some at a time; stops early when many were answered wrongly. */
export async function fuzzIntake({ port, routes, keys, requests, seed }: IntakeFuzz): Promise<IntakeFault[]> {
  const faults: IntakeFault[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < requests && faults.length < MAX_FAULTS) {
      const number = next++;
      // Each has its chance by itself, so that one can be sent again without those before it.
      const request = anyRequest(new Pick(seededRandom(seed * 1_000_003 + number)), routes, keys);
      const outcome = await exchangeOf(port, request);
      const fault = faultOf(outcome, request.ending === 'wait');
      const sent = Buffer.concat(request.pieces).toString('latin1').slice(0, 2_000);
      if (fault !== null) faults.push({ number, line: request.line, fault, sent });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return faults;
}

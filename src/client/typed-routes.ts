import createOpenApiClient, { type Client } from 'openapi-fetch';
import type { Requests } from './requests.js';

/** The typed routes of a document, with the key, repeated like every request; what is refused is thrown. */
export function createApi<Paths extends object>(requests: Requests): Client<Paths> {
  return createOpenApiClient<Paths>({
    baseUrl: requests.baseUrl,
    fetch: (request) => {
      requests.sign(request);
      return requests.send(request);
    },
  });
}

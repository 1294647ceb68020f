import { call } from './call.js';
import type { TestService } from './service.js';

/** A further key of an account, made by another of its keys with whatever limits are given. */
export async function makeScopedKey(service: TestService, maker: string, body: object): Promise<string> {
  const reply = await call(service, '/api/v1/keys', { key: maker, body });
  if (reply.status !== 201)
    throw new Error(`POST /api/v1/keys answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body.api_key as string;
}

import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.js';

describe('the service at its edge', () => {
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    service = await startService();
    const reply = await fetch(`${service.url}/agent-gateway/register`, { method: 'POST' });
    key = ((await reply.json()) as { api_key: string }).api_key;
  });

  afterAll(() => service.close());

  const verify = (body: string, headers: Record<string, string>) =>
    fetch(`${service.url}/api/v1/verify`, { method: 'POST', body, headers });

  it.each([
    ['broken JSON', '{', 'application/json', 400, 'malformed_json'],
    ['another content type', 'email=x', 'text/plain', 415, 'unsupported_media_type'],
    ['a missing field', '{}', 'application/json', 422, 'invalid_input'],
  ])('the service at its edge asks for the key before it looks at %s', async (_, body, type, status, code) => {
    const stranger = await verify(body, { 'content-type': type });
    expect(stranger.status).toBe(401);
    expect(await stranger.json()).toMatchObject({ code: 'key_missing' });
    const known = await verify(body, { 'content-type': type, authorization: `Bearer ${key}` });
    expect(known.status).toBe(status);
    expect(await known.json()).toMatchObject({ code });
  });

  it('the service at its edge links to itself by the address that it is reached at', async () => {
    const reply = await fetch(`${service.url}/agent-gateway/register`, { method: 'POST' });
    expect(JSON.stringify(await reply.json())).toContain(`${service.url}/api/v1/verify`);
  });

  it('the service at its edge answers 503 with Retry-After while PostgreSQL is away, and recovers', async () => {
    const dataSource = service.app.get(DataSource);
    await dataSource.destroy();
    const reply = await fetch(`${service.url}/agent-gateway/register`, { method: 'POST' });
    await dataSource.initialize();
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('5');
    expect(await reply.json()).toMatchObject({ success: false, code: 'unavailable' });
    expect((await fetch(`${service.url}/agent-gateway/register`, { method: 'POST' })).status).toBe(201);
  });
});

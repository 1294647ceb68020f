import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ApiExtraModels, ApiOkResponse, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { Extended, field, Reply, replyOf } from './reply.js';

class OwnerReply extends Reply({ name: field.text() }) {}

class ThingReply extends Reply({
  id: field.uuid(),
  state: field.oneOf(['on', 'off'], 'Whether it works.'),
  note: field.textOrNull({ example: 'loud', maxLength: 80 }),
  reused: field.optional(field.count()),
  owner: field.oneOrNull(OwnerReply),
}) {}

class WholeThingReply extends Extended(ThingReply, { owners: field.listOf(OwnerReply, 'The oldest first.') }) {}

@Controller()
@ApiExtraModels(ThingReply)
class ThingController {
  @Get()
  @ApiOkResponse({ type: WholeThingReply })
  get(): void {}
}

@Module({ controllers: [ThingController] })
class ThingModule {}

describe('Reply', () => {
  let schemas: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    const app = await NestFactory.create(ThingModule, new FastifyAdapter(), { logger: false });
    const { components } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    schemas = components!.schemas!;
    await app.close();
  });

  it('a reply is documented under the name of its class, with its own members behind those of the class above', () => {
    expect(Object.keys(schemas).toSorted()).toEqual(['OwnerReply', 'ThingReply', 'WholeThingReply']);
    const { properties } = schemas['WholeThingReply'] as { properties: object };
    expect(Object.keys(properties)).toEqual(['id', 'state', 'note', 'reused', 'owner', 'owners']);
  });

  it('a member of a reply is documented with its schema, its description and whether it may be missing', () => {
    const owner = { $ref: '#/components/schemas/OwnerReply' };
    expect(schemas['WholeThingReply']).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        state: { type: 'string', enum: ['on', 'off'], description: 'Whether it works.' },
        note: { type: 'string', nullable: true, example: 'loud', maxLength: 80 },
        reused: { type: 'integer', minimum: 0 },
        owner: { type: 'object', nullable: true, allOf: [owner] },
        owners: { type: 'array', description: 'The oldest first.', items: owner },
      },
      required: ['id', 'state', 'note', 'owner', 'owners'],
    });
  });

  it('the class above another reply keeps its own members alone', () => {
    const { properties } = schemas['ThingReply'] as { properties: object };
    expect(Object.keys(properties)).toEqual(['id', 'state', 'note', 'reused', 'owner']);
  });

  it('a reply has the types of its members, and the compiler refuses one without them or with others', () => {
    expectTypeOf<WholeThingReply['state']>().toEqualTypeOf<'on' | 'off'>();
    expectTypeOf<WholeThingReply['note']>().toEqualTypeOf<string | null>();
    expectTypeOf<WholeThingReply['reused']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<WholeThingReply['owner']>().toEqualTypeOf<OwnerReply | null>();
    expectTypeOf<WholeThingReply['owners']>().toEqualTypeOf<readonly OwnerReply[]>();
    const thing: ThingReply = { id: 'a', state: 'on', note: null, owner: { name: 'Jane' } };
    // @ts-expect-error no word of the vocabulary
    expectTypeOf(thing).toExtend<{ state: 'broken' }>();
    // @ts-expect-error a member is missing
    const empty: OwnerReply = {};
    expect([thing, empty]).toEqual([{ id: 'a', state: 'on', note: null, owner: { name: 'Jane' } }, {}]);
  });

  it('a reply shows of a record the members of its class and of the classes above, times as text, and nothing else', () => {
    class RunReply extends Reply({ monitor_id: field.id(), port_25: field.text(), ended_at: field.timeOrNull() }) {}
    class WholeRunReply extends Extended(RunReply, { found: field.texts() }) {}
    const record = { monitorId: 7, port25: 'open', endedAt: new Date(0), found: ['a'], secret: 'never shown' };
    const shown = { monitor_id: 7, port_25: 'open', ended_at: '1970-01-01T00:00:00.000Z' };
    expect(replyOf(RunReply, record)).toStrictEqual(shown);
    expect(replyOf(WholeRunReply, { ...record, endedAt: null })).toStrictEqual({
      ...shown,
      ended_at: null,
      found: ['a'],
    });
    // @ts-expect-error a record without a member of the reply
    replyOf(RunReply, { monitorId: 7, port25: 'open' });
  });
});

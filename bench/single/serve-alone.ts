import { Module, type Type, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

/** Serves a controller by Nest on Fastify, with its DTO checked and nothing else. Prints the port on a line, lives until the parent goes. */
export async function serveAlone(controller: Type): Promise<void> {
  @Module({ controllers: [controller] })
  class AloneModule {}

  const app = await NestFactory.create<NestFastifyApplication>(AloneModule, new FastifyAdapter(), { logger: false });
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  await app.listen(0, '127.0.0.1');
  console.log(new URL(await app.getUrl()).port);
  process.on('disconnect', () => process.exit());
}

import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

import { VerifyRequest } from '../../src/verify/verify.dto.js';

/**
 * The bare part of a single verification, as a process of its own: Nest on Fastify with the same DTO and an answer of the same
 * size, and nothing else. Prints its port on a line, lives until its parent goes.
 */
const ANSWER = JSON.parse(process.argv[2]!) as object;

@Controller('api/v1/verify')
class BareController {
  @Post()
  @HttpCode(200)
  verify(@Body() { email }: VerifyRequest): object {
    return { ...ANSWER, email };
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

const app = await NestFactory.create<NestFastifyApplication>(BareModule, new FastifyAdapter(), { logger: false });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(0, '127.0.0.1');
console.log(new URL(await app.getUrl()).port);
process.on('disconnect', () => process.exit());

import 'reflect-metadata';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';

import { VerifyRequest } from '../../src/verify/verify.controller.js';
import { serveAlone } from './serve-alone.js';

/**
 * The bare part of a single verification, as a process of its own: Nest on Fastify with the same DTO and an answer of the same
 * size, and nothing else.
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

await serveAlone(BareController);

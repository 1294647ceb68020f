import { Module } from '@nestjs/common';
import { VerifyController } from './verify.controller.js';
import { VerifyModule } from './verify.module.js';

/** The routes of single verifications. */
@Module({ imports: [VerifyModule], controllers: [VerifyController] })
export class VerifyHttpModule {}

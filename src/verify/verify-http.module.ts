import { Module } from '@nestjs/common';
import { ReuseModule } from '../reuse/reuse.module.js';
import { VerificationSettingsController } from './verification-settings.controller.js';
import { VerifyController } from './verify.controller.js';
import { VerifyModule } from './verify.module.js';

/** The routes of single verifications, and those by which an account switches reuse off and on. */
@Module({ imports: [VerifyModule, ReuseModule], controllers: [VerifyController, VerificationSettingsController] })
export class VerifyHttpModule {}

import { Module } from '@nestjs/common';
import { ReuseModule } from './reuse.module.js';
import { VerificationSettingsController } from './verification-settings.controller.js';

/** The routes by which an account switches reuse off and on. */
@Module({ imports: [ReuseModule], controllers: [VerificationSettingsController] })
export class ReuseHttpModule {}

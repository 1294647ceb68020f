import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { engineProvider, simulatedEngineProvider } from './engine.provider.js';
import { MailWorlds } from './mail-worlds.js';
import { VerifiedNews } from './verified-news.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';

@Module({
  imports: [CreditsModule, SuppressionsModule],
  controllers: [VerifyController],
  providers: [engineProvider, simulatedEngineProvider, MailWorlds, VerifiedNews, VerifyService],
  exports: [MailWorlds, VerifiedNews, VerifyService],
})
export class VerifyModule {}

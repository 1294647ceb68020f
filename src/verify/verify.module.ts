import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { engineProvider, simulatedEngineProvider } from './engine.provider.js';
import { MailWorlds } from './mail-worlds.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';

@Module({
  imports: [CreditsModule],
  controllers: [VerifyController],
  providers: [engineProvider, simulatedEngineProvider, MailWorlds, VerifyService],
  exports: [MailWorlds, VerifyService],
})
export class VerifyModule {}

import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import type { Engine } from '../engine/index.js';
import { ENGINE, engineProvider } from './engine.provider.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';

@Module({
  imports: [CreditsModule],
  controllers: [VerifyController],
  providers: [engineProvider, VerifyService],
  exports: [VerifyService],
})
export class VerifyModule implements OnApplicationShutdown {
  constructor(@Inject(ENGINE) private readonly engine: Engine) {}

  onApplicationShutdown(): void {
    this.engine.close();
  }
}

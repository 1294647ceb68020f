import { Module } from '@nestjs/common';
import { DiscoveryHttpModule } from '../discovery/discovery-http.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { ConsoleController, TryController } from './console.controller.js';
import { FrontDoorController } from './front-door.controller.js';
import { GuidesController } from './guides.controller.js';
import { GuidesService } from './guides.service.js';
import { TryService } from './try.service.js';

/** The service as a person sees it in a browser. */
@Module({
  imports: [DiscoveryHttpModule, VerifyModule],
  controllers: [FrontDoorController, GuidesController, TryController, ConsoleController],
  providers: [GuidesService, TryService],
})
export class ConsoleHttpModule {}

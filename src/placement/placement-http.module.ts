import { Module } from '@nestjs/common';
import { PlacementModule } from './placement.module.js';
import { SeedsController } from './seeds/seeds.controller.js';

/** The routes of placement. */
@Module({ imports: [PlacementModule], controllers: [SeedsController] })
export class PlacementHttpModule {}

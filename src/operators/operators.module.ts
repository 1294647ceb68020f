import { Module } from '@nestjs/common';
import { OperatorPauseStore } from './operator-pause.store.js';
import { OperatorPausesService } from './operator-pauses.service.js';
import { PausedOperators } from './paused-operators.js';

/** Mail operators that are left alone for a while. */
@Module({
  providers: [OperatorPausesService, OperatorPauseStore, PausedOperators],
  exports: [OperatorPausesService, PausedOperators],
})
export class OperatorsModule {}

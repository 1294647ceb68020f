import { Module } from '@nestjs/common';
import { OperatorPauseStore } from './operator-pause.store.js';
import { OperatorCircuitsService } from './operator-circuits.service.js';
import { OperatorPausesService } from './operator-pauses.service.js';
import { PausedOperators } from './paused-operators.js';

/** Mail operators that are left alone for a while: paused by an administrator, or because they refuse us. */
@Module({
  providers: [OperatorCircuitsService, OperatorPausesService, OperatorPauseStore, PausedOperators],
  exports: [OperatorCircuitsService, OperatorPausesService, PausedOperators],
})
export class OperatorsModule {}

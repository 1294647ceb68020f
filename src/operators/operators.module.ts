import { Module } from '@nestjs/common';
import { OperatorPauseStore } from './operator-pause.store.js';
import { OperatorCircuitsService } from './operator-circuits.service.js';
import { OperatorMeasuresService } from './operator-measures.service.js';
import { OperatorPausesService } from './operator-pauses.service.js';
import { PausedOperators } from './paused-operators.js';
import { Port25States } from './port25-states.service.js';

/** Mail operators that are left alone for a while, or accept every name; whether port 25 is open at all. */
@Module({
  providers: [
    OperatorCircuitsService,
    OperatorMeasuresService,
    OperatorPausesService,
    OperatorPauseStore,
    PausedOperators,
    Port25States,
  ],
  exports: [OperatorCircuitsService, OperatorMeasuresService, OperatorPausesService, PausedOperators, Port25States],
})
export class OperatorsModule {}

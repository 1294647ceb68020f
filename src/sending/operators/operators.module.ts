import { Module } from '@nestjs/common';
import { OperatorCircuitsService } from './operator-circuits.service.js';
import { OperatorMeasuresService } from './operator-measures.service.js';
import { OperatorPausesService, PausedOperators } from './operator-pauses.service.js';
import { Port25States } from './port25-states.service.js';

const SERVICES = [
  OperatorCircuitsService,
  OperatorMeasuresService,
  OperatorPausesService,
  PausedOperators,
  Port25States,
];

/** Mail operators that are left alone for a while, or accept every name; whether port 25 is open at all. */
@Module({ providers: SERVICES, exports: SERVICES })
export class OperatorsModule {}

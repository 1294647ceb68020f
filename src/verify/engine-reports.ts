import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import type { Engine } from '../engine/verification/engine.js';
import type { Port25Report } from '../engine/smtp/connect/port25.js';
import { OperatorCircuitsService } from '../sending/operators/operator-circuits.service.js';
import { OperatorMeasuresService } from '../sending/operators/operator-measures.service.js';
import { Port25States } from '../sending/operators/port25-states.service.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../platform/clock.js';
import { Gauges } from '../platform/metrics/gauges.js';
import { PeriodicJob } from '../platform/periodic-job.js';
import { ResolverDoubts } from '../resolver/resolver-doubts.service.js';
import { RESOLVER_JUDGE, type ResolverJudge } from '../resolver/resolver.module.js';
import { SourceReportsService } from '../sending/sources/watch/source-reports.service.js';
import { ENGINE } from './engine.provider.js';
import { OperatorLabels } from './ports/smtp-metrics.js';

/** What this process tells administrators, now and then, as one of several processes. */
abstract class ProcessReport extends PeriodicJob {
  protected readonly processId = randomUUID();

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    // Where the database is gone, what was told ends by its age.
    await this.forget().catch(() => undefined);
  }

  protected abstract forget(): Promise<void>;
}

const SOURCES_EVERY_MS = 10_000;

/** Tells what this process has seen of the sending addresses that it uses. */
@Injectable()
export class SourceReports extends ProcessReport {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly sources: SourceReportsService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('our sending addresses were not told of', { everyMs: SOURCES_EVERY_MS, timer });
  }

  protected forget(): Promise<void> {
    return this.sources.forget(this.processId);
  }

  async run(): Promise<void> {
    const seen = this.engine.sources().map(({ name, restingUntil, fault, port25 }) => ({
      source: name,
      restingUntil: restingUntil === null ? null : new Date(restingUntil),
      fault,
      port25: port25.state,
    }));
    await this.sources.report(this.processId, hostname(), seen, this.clock.date());
  }
}

const CIRCUITS_EVERY_MS = 5_000;
/** A list of hostile domains may open far more: the newest are told. */
const MAX_REPORTED = 1_000;

/** Tells which operators refuse this process, for administrators: each process has circuits of its own. Nothing is written while none does. */
@Injectable()
export class CircuitReports extends PeriodicJob {
  private readonly processId = randomUUID();
  private hasTold = false;

  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly circuits: OperatorCircuitsService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('operators that refuse us were not told', { everyMs: CIRCUITS_EVERY_MS, timer });
  }

  async run(): Promise<void> {
    const open = [...this.engine.openCircuits()].sort((one, other) => other.openUntil - one.openUntil);
    if (open.length === 0 && !this.hasTold) return;
    const told = open.slice(0, MAX_REPORTED).map((circuit) => ({ ...circuit, openUntil: new Date(circuit.openUntil) }));
    await this.circuits.report(this.processId, told, this.clock.date());
    this.hasTold = told.length > 0;
  }
}

const PORT25_EVERY_MS = 5_000;
/** What stays as it is, is told again so seldom. */
const AGAIN_MS = 30_000;

/** Tells administrators whether port 25 leaves this machine. Nothing is written before a mail host was asked. */
@Injectable()
export class Port25Reports extends ProcessReport {
  private told: (Port25Report & { readonly at: number }) | null = null;

  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly states: Port25States,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('the state of port 25 was not told', { everyMs: PORT25_EVERY_MS, timer });
  }

  protected async forget(): Promise<void> {
    if (this.told !== null) await this.states.forget(this.processId);
  }

  async run(): Promise<void> {
    const report = this.engine.port25();
    const { state, since, answeredAt } = report;
    if (state === 'unknown' || since === null) return;
    const at = this.clock.now();
    if (this.told?.since === since && this.told.state === state && at - this.told.at < AGAIN_MS) return;
    await this.states.report(this.processId, {
      machine: hostname(),
      state,
      since: new Date(since),
      answeredAt: answeredAt === null ? null : new Date(answeredAt),
    });
    this.told = { ...report, at };
  }
}

const RESOLVER_EVERY_MS = 10_000;

/** Tells administrators while the DNS resolver of this process lies. It goes on testing it then, so that the end is told too when nobody asks. */
@Injectable()
export class ResolverReports extends ProcessReport {
  private since: Date | null = null;

  constructor(
    @Inject(RESOLVER_JUDGE) private readonly judge: ResolverJudge,
    private readonly doubts: ResolverDoubts,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('that the DNS resolver lies was not told', { everyMs: RESOLVER_EVERY_MS, timer });
  }

  async run(): Promise<void> {
    if (this.judge.finding !== 'honest') await this.judge.check();
    const { finding } = this.judge;
    if (finding === 'honest') return this.forget();
    this.since ??= this.clock.date();
    await this.doubts.report(this.processId, { machine: hostname(), finding, since: this.since });
  }

  protected async forget(): Promise<void> {
    if (this.since === null) return;
    await this.doubts.forget(this.processId);
    this.since = null;
  }
}

/** What this process knows of mail operators, of port 25 and of its DNS resolver. */
@Injectable()
export class EngineGauges {
  constructor(
    gauges: Gauges,
    @Inject(ENGINE) engine: Engine,
    labels: OperatorLabels,
    measures: OperatorMeasuresService,
    @Inject(RESOLVER_JUDGE) resolver: ResolverJudge,
  ) {
    gauges.addLocal({
      name: 'mailsonde_resolver_believed',
      help: '1: what the DNS resolver of this process says is believed; 0: it lies, so that what needs the DNS is unknown, and free.',
      read: () => (resolver.finding === 'honest' ? 1 : 0),
    });
    gauges.addLocal({
      name: 'mailsonde_operator_breaker_open',
      help: 'Mail operators that refuse this process at a source, and that it leaves alone for a while; those without a row together.',
      labels: ['operator', 'source'],
      read: () => {
        const open = new Map<string, [number, string, string]>();
        for (const circuit of engine.openCircuits()) {
          const [operator, source] = [labels.of(circuit.operator), circuit.source];
          const [known] = open.get(`${operator} ${source}`) ?? [0];
          open.set(`${operator} ${source}`, [known + 1, operator, source]);
        }
        return [...open.values()];
      },
    });
    gauges.addShared({
      name: 'mailsonde_operator_accepts_all',
      help: '1: it was believed to refuse unknown names, and has accepted two in a row; 0: it refuses them; missing before it was asked.',
      labels: ['operator'],
      read: async () =>
        (await measures.list()).map(({ operator, acceptsAllSince }) => [acceptsAllSince === null ? 0 : 1, operator]),
    });
    gauges.addLocal({
      name: 'mailsonde_port25_open',
      help: '1: connections to mail hosts leave by this source, 0: they do not; missing before a mail host was asked.',
      labels: ['source'],
      read: () =>
        engine
          .sources()
          .filter(({ port25 }) => port25.state !== 'unknown')
          .map(({ name, port25 }) => [port25.state === 'open' ? 1 : 0, name]),
    });
    gauges.addLocal({
      name: 'mailsonde_egress_resting',
      help: '1: this process leaves the source alone, because its address or its proxy is not to be had; 0: it works.',
      labels: ['source'],
      read: () => engine.sources().map(({ name, fault }) => [fault === null ? 0 : 1, name]),
    });
  }
}

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { AppError } from '../../platform/errors/app-error.js';
import { printable } from '../printable.js';

/** What is kept of standard input, which cannot be read twice. */
const MAX_INPUT_CHARACTERS = 256_000_000;
/** Longer ways are cut: a batch of a million has about a thousand steps. */
const MAX_STEPS = 10_000;
/** A request id may have been used many times. */
const MAX_TRACES = 20;

interface Step {
  readonly timestamp: number;
  readonly context?: string;
  readonly level?: string;
  readonly message?: string;
  readonly trace_id?: string;
  readonly [member: string]: unknown;
}

type Lines = () => AsyncIterable<string> | Iterable<string>;

export function traceCommand(): Command {
  const command = new Command('trace')
    .description('Show the way of one request, from its head to what mail hosts answered and webhooks, out of logs.')
    .argument('<id>', 'trace id, request id (X-Request-Id) or batch id')
    .argument('[files...]', 'logs of all processes, as JSON lines; standard input where none is named')
    .addHelpText('after', '\nIt reads logs alone, and needs no database.')
    .action(async (id: string, files: readonly string[]) => {
      const steps = await stepsOf(id, files.length > 0 ? fileLines(files) : await inputLines());
      if (steps.length === 0) throw new AppError('not_found', { message: 'No line of these logs belongs to it.' });
      const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
      const output = command.configureOutput();
      const started = startOf(steps[0]!);
      for (const step of steps) output.writeOut?.(json ? `${JSON.stringify(step)}\n` : lineOf(step, started));
    });
  return command;
}

/** The steps of all traces that the id belongs to, in their order. */
async function stepsOf(id: string, lines: Lines): Promise<Step[]> {
  const traces = new Set<string>();
  for await (const line of lines()) {
    if (!line.includes(id) || traces.size >= MAX_TRACES) continue;
    const step = stepIn(line);
    if (step?.trace_id === undefined) continue;
    if (step.trace_id === id || step['request_id'] === id || String(step['batch_id']) === id) traces.add(step.trace_id);
  }
  const steps: Step[] = [];
  if (traces.size === 0) return steps;
  for await (const line of lines()) {
    if (steps.length >= MAX_STEPS) break;
    if (![...traces].some((trace) => line.includes(trace))) continue;
    const step = stepIn(line);
    if (step?.trace_id !== undefined && traces.has(step.trace_id)) steps.push(step);
  }
  return steps.sort((one, other) => startOf(one) - startOf(other));
}

/** A line of the access log is written at the end of its request, which began before all its other steps. */
function startOf({ timestamp, context, ms }: Step): number {
  return context === 'Access' && typeof ms === 'number' ? timestamp - ms : timestamp;
}

/** Null for a line that is none of ours: logs of many programs come together. */
function stepIn(line: string): Step | null {
  const start = line.indexOf('{');
  if (start === -1) return null;
  try {
    const step = JSON.parse(line.slice(start)) as Step | null;
    return typeof step === 'object' && typeof step?.timestamp === 'number' ? step : null;
  } catch {
    return null;
  }
}

const SHOWN_ELSEWHERE = new Set(['timestamp', 'context', 'message', 'level', 'trace_id', 'method', 'route', 'aborted']);

function lineOf(step: Step, started: number): string {
  const { context = '-', level = 'log', message = '' } = step;
  const members = Object.entries(step)
    .filter(([name, value]) => !SHOWN_ELSEWHERE.has(name) && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const time = new Date(startOf(step)).toISOString();
  const after = `+${Math.round(startOf(step) - started)} ms`;
  const word = level === 'log' ? '' : `${level} `;
  return `${printable(`${time} ${after.padStart(10)}  ${context.padEnd(7)} ${word}${message}  ${members.join(' ')}`.trimEnd())}\n`;
}

function fileLines(files: readonly string[]): Lines {
  return async function* () {
    for (const file of files) yield* createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  };
}

async function inputLines(): Promise<Lines> {
  const kept: string[] = [];
  let characters = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (!line.includes('trace_id')) continue;
    characters += line.length;
    if (characters > MAX_INPUT_CHARACTERS)
      throw new AppError('body_too_large', { message: 'That is too much for standard input: name the files.' });
    kept.push(line);
  }
  return () => kept;
}

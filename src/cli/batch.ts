import { batchProgram } from './batch/batch-program.js';
import { runServerCommand } from './server/run-server-command.js';

await runServerCommand(batchProgram);

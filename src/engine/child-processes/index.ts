export { type Confined, confinedArguments, systemLibraries } from './confined-arguments.js';
export { isRunning } from './is-running.js';
export { type ConfinedRun, runConfined } from './run-confined.js';
export { type ProgramAnswer, ProgramFailure, type ProgramRun, runProgram } from './run-program.js';
export { checkSandbox, type SandboxLayer, sandboxLauncher } from './sandbox.js';
export { WorkerProcess, type WorkerProcessOptions } from './worker-process.js';

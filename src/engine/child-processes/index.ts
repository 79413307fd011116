export { pidScope } from './pid-scope.js';
export { ioBytes, isRunning, killGroup, peakResidentMb, residentMb } from './process-status.js';
export { ProgramError, type ProgramOptions, runProgram } from './run-program.js';
export { runSandboxed, type SandboxedRun } from './run-sandboxed.js';
export { checkSandbox, sandboxLauncher } from './sandbox.js';
export { sandboxArguments, systemLibraryPaths } from './sandbox-arguments.js';
export { removeStaleFolders } from './stale-folders.js';
export { type ProcessEnd, type ProcessLimits, type ProcessLoss, SupervisedProcess, type SupervisedProcessOptions } from './supervised-process.js';
export { WorkerProcess } from './worker-process.js';

export { type ProgramAnswer, ProgramFailure, type ProgramRun, runProgram } from './run-program.js';
export { checkSandbox, type SandboxLayer, sandboxLauncher } from './sandbox.js';

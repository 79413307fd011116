export { type ProgramAnswer, ProgramFailure, type ProgramRun, runProgram } from './run-program.js';

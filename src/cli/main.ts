#!/usr/bin/env node
import { loadBundle } from '../config/precompiled/index.js';

// Only the type is imported: the modules are loaded if there is no bundle.
type RunCli = typeof import('./run-cli.js');

const { runCli } = (loadBundle('cli') as RunCli | undefined) ?? (await import('./run-cli.js'));
const args = process.argv.slice(2);
process.exitCode = await runCli(args);
// Skips Node's orderly shutdown, which takes a noticeable part of the time of a frame. Nothing is pending any more.
if (args[0] === 'frame') process.exit();

#!/usr/bin/env node
import { loadBundle } from '../config/precompiled/index.js';

// A type alone: the modules are only loaded where there is no bundle of them.
type RunCli = typeof import('./run-cli.js');

const { runCli } = (loadBundle('cli') as RunCli | undefined) ?? (await import('./run-cli.js'));
const args = process.argv.slice(2);
process.exitCode = await runCli(args);
// Nothing is under way any more: what Node takes apart for others at its end takes longer than a part of the frame.
if (args[0] === 'frame') process.exit();

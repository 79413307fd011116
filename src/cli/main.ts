#!/usr/bin/env node
import { loadBundle } from '../compiled/index.js';

// A type alone: the modules are only loaded where there is no bundle of them.
type RunCli = typeof import('./run-cli.js');

const { runCli } = (loadBundle('cli') as RunCli | undefined) ?? (await import('./run-cli.js'));
process.exitCode = await runCli(process.argv.slice(2));

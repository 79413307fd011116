import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exitCodes } from '../../../src/cli/exit-codes.js';
import { runCli as runHere } from '../../../src/cli/run-cli.js';
import { cliPath, runCli, temporaryFolder } from '../../support/cli.js';
import { decodeFrames, pixelAt } from '../../support/ffmpeg.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const write = async (name: string, text: string): Promise<string> => {
  const path = join(folder.path, name);
  await writeFile(path, text);
  return path;
};
/** Runs the command in this process, which is faster; returns its output and exit code. */
async function cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const said = { log: '', error: '' };
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((text: string) => {
      said[name] += `${text}\n`;
    }),
  );
  const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  try {
    return { code: await runHere(args), stdout: said.log, stderr: said.error };
  } finally {
    for (const spy of [...spies, written]) spy.mockRestore();
  }
}
const manual = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

it('prints its version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

describe('exit codes', () => {
  it('match docs/cli.md', () => {
    const documented = [...manual.matchAll(/^\| `(\d+)` \|/gm)].map(([, code]) => Number(code));
    expect(documented).toEqual(Object.values(exitCodes));
  });

  it('0 for success, 1 for failure', async () => {
    const fine = await write('fine.json', '{"width":64,"height":64,"scenes":[{"duration":1}]}');
    expect((await cli('validate', fine)).code).toBe(exitCodes.done);
    const gone = await write('gone.json', '{\n "scenes":[{"elements":[\n  {"type":"image","src":"nowhere.png"}]}]}');
    const failed = await cli('render', gone, '-o', join(folder.path, 'gone.mp4'));
    expect([failed.code, failed.stderr]).toEqual([exitCodes.failed, expect.stringContaining(`framewright: ${gone}:3:3: scenes.0.elements.0: the image`)]);
  });

  it('2 for a wrong command line or setting', async () => {
    const fine = await write('fine.json', '{"width":64,"height":64,"scenes":[{"duration":1}]}');
    const wrong = [
      ['nothing'],
      ['frame', fine, '-o', 'x.png'],
      ['frame', fine, '--at', '9', '-o', join(folder.path, 'x.png')],
      ['watch', fine, '-o', 'x.mp4', '--at', '1'],
    ];
    for (const args of wrong) expect([args, (await cli(...args)).code]).toEqual([args, exitCodes.usage]);
    const reported = await cli('frame', fine, '-o', 'x.png', '--json');
    expect(JSON.parse(reported.stdout)).toEqual({ error: { message: "error: required option '--at <seconds>' not specified" } });
    expect((await runCli(['validate', fine], { env: { FRAMEWRIGHT_ENCODER: 'none such' } })).code).toBe(exitCodes.usage);
  });

  it('3 for a script that is missing, not JSON or invalid, with its line, also with --json', async () => {
    const missing = await cli('validate', join(folder.path, 'missing.json'));
    expect([missing.code, missing.stderr]).toEqual([exitCodes.movie, expect.stringContaining('missing.json cannot be read (ENOENT).')]);
    const broken = await write('broken.json', '{\n  "scenes": [\n    { "duration": 2, }\n  ]\n}');
    const text = await cli('render', broken, '-o', 'x.mp4');
    expect([text.code, text.stderr]).toEqual([
      exitCodes.movie,
      `framewright: ${broken}:3:22 is not valid JSON: expected a name in double quotes, but there is "}".\n`,
    ]);
    const wrong = await write(
      'wrong.json',
      '{\n  "scenes": [\n    { "duration": 2,\n      "elements": [{ "type": "text", "text": "x", "colour": "red" }] }\n  ]\n}',
    );
    for (const args of [
      ['validate', wrong],
      ['frame', wrong, '--at', '0', '-o', 'x.png'],
      ['render', wrong, '-o', 'x.mp4'],
    ]) {
      const { code, stdout, stderr } = await cli(...args, '--json');
      expect(code).toBe(exitCodes.movie);
      expect(stderr).toContain(`framewright: ${wrong}:4:61: scenes.0.elements.0.colour: `);
      const path = 'scenes.0.elements.0.colour';
      expect(JSON.parse(stdout)).toEqual({
        error: { code: 'SCHEMA_VALIDATION_ERROR', message: expect.stringContaining('did you mean'), path, line: 4, column: 61 },
      });
    }
  });

  it('130 for Ctrl-C, which leaves no partial video', async () => {
    const long = await write(
      'long.json',
      '{"width":1280,"height":720,"scenes":[{"duration":600,"elements":[{"type":"text","text":"x","rotate":{"angle":360,"speed":9}}]}]}',
    );
    const child = spawn(process.execPath, [cliPath, 'render', long, '-o', join(folder.path, 'long.mp4'), '--no-cache'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let reported = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      reported += text;
      if (text.includes('rendering scene 1')) child.kill('SIGINT');
    });
    const [code] = (await once(child, 'close')) as [number];
    expect([code, reported]).toEqual([exitCodes.interrupted, expect.stringContaining('framewright: interrupted')]);
    expect((await readdir(folder.path)).filter((name) => name.startsWith('long'))).toEqual(['long.json']);
  });
});

/** Runs a command on a pseudo-terminal, which the `script` program creates. */
const onTerminal = (command: string, env: Record<string, string> = {}): string =>
  execFileSync('script', ['-qec', `${process.execPath} ${cliPath} ${command} || true`, '/dev/null'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', FRAMEWRIGHT_CACHE_MB: '0', ...env },
  });

it('tells the person at the terminal why this host cannot render', async () => {
  const movie = await write('no-card.json', '{"scenes": [{"duration": 1}]}');
  // A folder without drivers.
  const env = { FRAMEWRIGHT_COMPOSITOR: 'vulkan', VK_DRIVER_FILES: '/nonexistent', VK_ICD_FILENAMES: '/nonexistent' };
  const { code, stderr } = await runCli(['render', movie, '-o', join(folder.path, 'no-card.mp4'), '--no-cache'], { env });
  expect(code).toBe(exitCodes.failed);
  expect(stderr).toMatch(/framewright: GPU_FAILED: No Vulkan driver is installed/);
});

describe('on a terminal', () => {
  it('shows a progress bar in colour, but not with NO_COLOR or in a pipe', async () => {
    const movie = await write('short.json', '{"width":64,"height":64,"scenes":[{"duration":1}]}');
    const command = `render ${movie} -o ${join(folder.path, 'short.mp4')}`;
    const colored = onTerminal(command);
    expect(colored).toContain('█');
    expect(colored).toContain('\x1b[32m');
    const plain = onTerminal(command, { NO_COLOR: '1' });
    expect(plain).toContain('█');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(plain).not.toMatch(/\x1b\[\d+m/);
    expect(onTerminal('validate none.json')).toContain('\x1b[31mframewright:\x1b[0m');
    const { stdout, stderr } = await runCli(['render', movie, '-o', join(folder.path, 'short.mp4')]);
    expect(stdout + stderr).not.toContain('\x1b');
    expect(stderr).toContain('  0 % preparing\n');
  });
});

describe('completions', () => {
  const scriptOf = async (shell: string): Promise<string> => {
    const { code, stdout } = await cli('completions', shell, '--json');
    expect(code).toBe(0);
    return (JSON.parse(stdout) as { script: string }).script;
  };

  it('include every command of docs/cli.md, each with --json', async () => {
    const lines = [...(await scriptOf('zsh')).matchAll(/^ {4}'([^']*)'\) names=\((.*?)\); flags=\((.*?)\) ;;$/gm)].map(
      ([, at = '', names = '', flags = '']) => ({
        at: at.trim(),
        isGroup: names !== '' && !names.includes("'bash'"),
        flags,
      }),
    );
    const leaves = lines.filter(({ at, isGroup }) => at !== '' && !isGroup);
    expect(leaves.length).toBeGreaterThan(18);
    expect(leaves.filter(({ flags }) => !flags.includes("'--json:")).map(({ at }) => at)).toEqual([]);
    const documented = [...manual.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z]+(?: [a-z]+)?)\b/g)].map(([, words]) => words),
    );
    const known = leaves.map(({ at }) => at);
    expect(known.filter((at) => !documented.some((words) => words === at || words?.startsWith(`${at} `)))).toEqual([]);
  });

  it('complete commands, subcommands, options, values and files in bash', async () => {
    await write('completions.bash', await scriptOf('bash'));
    const complete = (line: string): string[] => {
      const words = line.split(' ');
      const program = `source completions.bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _framewright; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p framewright`;
      const lines = execFileSync('bash', ['--norc', '-c', program], { cwd: folder.path, encoding: 'utf8' }).trim().split('\n');
      expect(lines.pop()).toContain('-o default');
      return lines.filter((word) => word !== '');
    };
    expect(complete('framewright wo')).toEqual(['worker']);
    expect(complete('framewright ')).toEqual(expect.arrayContaining(['init', 'render', 'watch', 'keys', 'completions']));
    expect(complete('framewright keys ')).toEqual(['create', 'list', 'revoke']);
    expect(complete('framewright keys create --')).toEqual(expect.arrayContaining(['--account', '--plan', '--json', '--help']));
    expect(complete('framewright keys create --plan ')).toEqual(['free', 'starter', 'pro', 'enterprise']);
    expect(complete('framewright keys create --account acme --mode t')).toEqual(['test']);
    expect(complete('framewright completions ')).toEqual(['bash', 'zsh', 'fish']);
    expect(complete('framewright render --c')).toEqual(['--crf', '--cache']);
    // Readline completes files.
    expect(complete('framewright render mov')).toEqual([]);
    expect(complete('framewright render -o ')).toEqual([]);
  });

  const has = (program: string): boolean => spawnSync(program, ['-c', 'true']).status === 0;
  it.skipIf(!has('zsh'))('load in zsh if it is installed', async () => {
    const path = await write('completions.zsh', await scriptOf('zsh'));
    expect(execFileSync('zsh', ['-f', '-c', `source ${path} && whence -w _framewright`], { encoding: 'utf8' })).toContain('_framewright: function');
  });
  it.skipIf(!has('fish'))('complete in fish if it is installed', async () => {
    const path = await write('completions.fish', await scriptOf('fish'));
    const complete = (line: string) =>
      execFileSync('fish', ['--no-config', '-c', `source ${path}; complete -C '${line}'`], { encoding: 'utf8', cwd: folder.path });
    expect(complete('framewright wo')).toMatch(/^worker\trender jobs/);
    expect(complete('framewright keys create --plan ').split('\n').slice(0, 4).toSorted()).toEqual(
      ['enterprise', 'free', 'pro', 'starter'].map((word) => expect.stringContaining(word)),
    );
  });
});

it('init writes a movie that renders and overwrites no file', async () => {
  const { code, stdout } = await runCli(['init', 'new', '--json'], { cwd: folder.path });
  expect([code, JSON.parse(stdout)]).toEqual([0, { movie: join('new', 'movie.json') }]);
  const movie = join(folder.path, 'new', 'movie.json');
  const again = await runCli(['init', join(folder.path, 'new')]);
  expect([again.code, again.stderr]).toEqual([exitCodes.usage, expect.stringContaining('already exists. Pass --force to overwrite it.')]);
  // A smaller size keeps the test fast.
  const script = JSON.parse(readFileSync(movie, 'utf8')) as object;
  await writeFile(movie, JSON.stringify({ ...script, fps: 4 }));
  const video = join(folder.path, 'new', 'film.mp4');
  expect(await runCli(['render', movie, '-o', video], { env: { FRAMEWRIGHT_CHROMIUM: '/nonexistent' } })).toMatchObject({ code: 0 });
  const frames = await decodeFrames(video, 'rgb');
  expect(frames.frames.length).toBe(44);
  // The ends of the gradient in scene 1, the path of the ball in scene 2, the white lower third in scene 3.
  expect(pixelAt(frames, 4, 8, 8)[0]).toBeLessThan(60);
  expect(pixelAt(frames, 4, 1270, 710)[0]).toBeGreaterThan(200);
  expect(pixelAt(frames, 18, 230, 330)[0]).toBeGreaterThan(220);
  expect(pixelAt(frames, 29, 230, 330)[0]).toBeLessThan(60);
  expect(pixelAt(frames, 41, 330, 590)).toEqual([255, 255, 255].map((value) => expect.closeTo(value, -1)));
});

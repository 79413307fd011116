import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';

interface Finding {
  topic: string;
  name: string;
  ok: boolean;
  detail: string;
  essential: boolean;
}

async function examine(env: Record<string, string>): Promise<{ code: number | null; can_render: boolean; findings: Finding[] }> {
  const { code, stdout } = await runCli(['doctor', '--json'], { env });
  return { code, ...(JSON.parse(stdout) as { can_render: boolean; findings: Finding[] }) };
}

describe('doctor', () => {
  it('reports that this host can render, with its encoders and libraries', async () => {
    await using folder = await disposableFolder();
    const { code, can_render, findings } = await examine({ FRAMEWRIGHT_DATA_DIR: folder.path });
    expect(can_render).toBe(true);
    expect(code).toBe(0);
    expect(findings.find(({ name }) => name === 'libx264')).toMatchObject({ topic: 'encoder', ok: true });
    expect(findings.find(({ name }) => name === 'libavcodec')?.detail).toMatch(/^\d+\.\d+\.\d+$/);
    expect(findings.find(({ topic, name }) => topic === 'compositor' && name === 'cpu')).toMatchObject({ ok: true });
  });

  it('gives a reason for everything that is missing', async () => {
    await using folder = await disposableFolder();
    const { findings } = await examine({ FRAMEWRIGHT_DATA_DIR: folder.path, PATH: folder.path });
    const missing = findings.filter(({ ok }) => !ok);
    expect(missing.map(({ name }) => name)).toEqual(expect.arrayContaining(['ffmpeg', 'chromium', 'festival', 'espeak-ng']));
    expect(missing.filter(({ detail }) => detail === '')).toEqual([]);
  });

  it('reports that a host with an unwritable data folder cannot render', async () => {
    await using folder = await disposableFolder();
    const dataDir = join(folder.path, 'a-file', 'data');
    await writeFile(join(folder.path, 'a-file'), '');
    const { code, can_render, findings } = await examine({ FRAMEWRIGHT_DATA_DIR: dataDir });
    expect(can_render).toBe(false);
    expect(code).toBe(1);
    expect(findings.find(({ name }) => name.startsWith('data folder'))?.detail).toBe(`${dataDir}: ENOTDIR`);
  });
});

async function disposableFolder(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await temporaryFolder();
  return { path: folder.path, [Symbol.asyncDispose]: () => folder.remove() };
}

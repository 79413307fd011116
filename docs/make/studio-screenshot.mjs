import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { loadConfig } from '../../dist/config/index.js';

const run = promisify(execFile);
const inDist = (path) => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));
const size = { width: 1440, height: 880 };

/** Takes the screenshots of docs/studio.md from a service that it starts, in both themes: the missing ones, or all. */
export async function drawStudio(docs, all) {
  const wanted = ['light', 'dark'].filter((theme) => all || !existsSync(join(docs, 'images', `studio-${theme}.webp`)));
  if (wanted.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'framewright-docs-'));
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', FRAMEWRIGHT_DATA_DIR: folder };
  const service = spawn(process.execPath, [inDist('main.js')], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [said] = await once(service.stdout, 'data');
    const address = /http:\S+/.exec(String(said))?.[0];
    const made = await run(
      process.execPath,
      [inDist('cli/main.js'), 'keys', 'create', '--account', 'films', '--plan', 'pro', '--mode', 'live', '--credits', '1000', '--json'],
      { env },
    );
    for (const theme of wanted) {
      const png = join(folder, `${theme}.png`);
      await photograph(address, JSON.parse(made.stdout).key, theme, png);
      await run('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', join(docs, 'images', `studio-${theme}.webp`)]);
      console.log(`drew studio-${theme}`);
    }
  } finally {
    service.kill('SIGTERM');
    await once(service, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

async function photograph(address, key, theme, path) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: loadConfig().html.chromium, args });
  try {
    const page = await browser.newPage({ viewport: size, colorScheme: theme, reducedMotion: 'reduce' });
    await page.addInitScript((given) => sessionStorage.setItem('framewright.key', given), key);
    await page.goto(address);
    await page.locator('.bar').first().waitFor();
    if (theme === 'dark') {
      await page.getByRole('button', { name: 'Gallery' }).click();
      await page.getByRole('tab', { name: 'Transitions' }).click();
      await page.locator('.card img').nth(11).waitFor();
    }
    await page.locator('.screen:not([data-busy]) .picture[data-count]').waitFor();
    await page.screenshot({ path });
  } finally {
    await browser.close();
  }
}

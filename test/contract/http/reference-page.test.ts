import { launch } from 'puppeteer-core';
import { expect, it } from 'vitest';
import { startService } from '../../support/service-in-process.js';

it('the reference page fits the window, also on a phone', async () => {
  const service = await startService({ workers: 0 });
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await launch({ executablePath: '/usr/bin/chromium-headless-shell', headless: 'shell', args });
  const page = await browser.newPage();
  for (const width of [1280, 390, 320]) {
    await page.setViewport({ width, height: 800 });
    await page.goto(`${service.app.address}/docs`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await page.evaluate("document.querySelectorAll('section').length")).toBeGreaterThan(20);
  }
  await browser.close();
  await service.stop();
});

import type { Tab } from './browser.js';
import { PageClock } from './clock.js';
import type { HtmlPage } from './page.js';
import { internalOrigin } from './page-fonts.js';
import { pageScript } from './page-script.js';
import type { PageRequests } from './requests.js';

export interface OpenPageParts {
  requests: PageRequests;
  /** What the page's clock shows when it begins. */
  epochMs: number;
}

/** The page could not be loaded; the message says why. */
export class PageFailure extends Error {}

/** Loads a page while its clock all but stands still. */
export async function openPage({ session }: Tab, page: HtmlPage, { requests, epochMs }: OpenPageParts): Promise<PageClock> {
  const { width, height, dpi } = page;
  session.on('Page.javascriptDialogOpening', () => {
    session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
  });
  await session.send('Page.enable');
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: dpi, mobile: false });
  await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript });
  await requests.start();
  const clock = await PageClock.start(session, epochMs);
  let isLoaded = false;
  session.once('Page.loadEventFired', () => {
    isLoaded = true;
  });
  const { errorText } = await session.send('Page.navigate', { url: page.html === undefined ? (page.url ?? '') : `${internalOrigin}/` });
  if (errorText !== undefined) throw new PageFailure(requests.documentFailure ?? `the page could not be loaded (${errorText})`);
  while (!isLoaded) await clock.tick();
  // Laying out asks for the fonts and pictures that only styles name.
  for (let i = 0; i < 8; i++) {
    const { result } = await session.send('Runtime.evaluate', {
      expression: 'void document.documentElement.offsetHeight; document.fonts.status',
      returnByValue: true,
    });
    await clock.tick();
    if (result.value === 'loaded' && i > 0) break;
  }
  return clock;
}

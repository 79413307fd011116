import type { Tab } from './chromium/browser.js';
import { PageFailure } from './chromium/page-failure.js';
import { isWholeDocument } from './document.js';
import type { HtmlPage } from './page.js';
import { internalOrigin } from './page-fonts.js';
import { pageScript } from './page-script.js';
import { placingScript } from './place-content.js';
import { PageClock } from './recording/clock.js';
import type { PageRequests } from './requests.js';

interface OpenPageParts {
  requests: PageRequests;
  /** Start time of the page's clock, Unix ms. */
  epochMs: number;
}

const maxIdleTasks = 100;

/** Loads a page while its clock is stopped, so that loading time does not affect the result. */
export async function openPage({ session }: Tab, page: HtmlPage, { requests, epochMs }: OpenPageParts): Promise<PageClock> {
  const { width, height, dpi } = page;
  await session.send('Page.enable');
  // The window has the size of the image in device pixels. Chromium draws on-demand frames at density 1, so the page is scaled instead.
  const density = dpi === 1 ? {} : { dontSetVisibleSize: true, scale: dpi };
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: dpi, mobile: false, ...density });
  await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript });
  const { frameTree } = await session.send('Page.getFrameTree');
  await requests.start(frameTree.frame.id);
  const clock = await PageClock.start(session, epochMs);
  // The load event of the preceding empty page may arrive late and is ignored.
  let isLoaded = false;
  session.on('Page.lifecycleEvent', ({ name, frameId, loaderId }) => {
    if (name === 'load' && frameId === frameTree.frame.id && loaderId !== frameTree.frame.loaderId) isLoaded = true;
  });
  await session.send('Page.setLifecycleEventsEnabled', { enabled: true });
  const { errorText } = await session.send('Page.navigate', { url: page.html === undefined ? (page.url ?? '') : `${internalOrigin}/` });
  if (errorText !== undefined) throw new PageFailure(requests.documentFailure ?? `the page could not be loaded (${errorText})`);
  let seen = 0;
  for (let taskCount = 1; !isLoaded; taskCount++) {
    await clock.runTasks();
    if (taskCount % maxIdleTasks !== 0) continue;
    // The page may be waiting for time to pass.
    await clock.tick();
    // A page that tried to navigate while loading never fires its load event.
    const { result } = await session.send('Runtime.evaluate', { expression: 'document.readyState', returnByValue: true });
    if (result.value !== 'loading' && requests.seen === seen) break;
    seen = requests.seen;
  }
  // Prevents the page from navigating back to the empty page.
  await session.send('Page.resetNavigationHistory').catch(() => {});
  // Layout requests fonts and images named in styles, and scripts make initial requests; responses take several
  // task rounds to be processed.
  for (let idle = 0, i = 0; idle < (requests.seen > 1 ? 12 : 2) && i < 100; i++) {
    const before = requests.seen;
    const { result } = await session.send('Runtime.evaluate', {
      expression: 'void document.documentElement.offsetHeight; document.fonts.status',
      returnByValue: true,
    });
    await (i < 50 ? clock.runTasks() : clock.tick());
    idle = result.value === 'loaded' && requests.seen === before ? idle + 1 : 0;
  }
  if (page.place !== undefined && page.html !== undefined && !isWholeDocument(page.html))
    await session.send('Runtime.evaluate', { expression: placingScript(page.place) });
  return clock;
}

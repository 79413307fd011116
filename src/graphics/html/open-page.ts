import type { Tab } from './chromium/browser.js';
import { PageFailure } from './chromium/page-failure.js';
import { isWholeDocument } from './document.js';
import type { HtmlPage } from './page.js';
import { internalOrigin } from './page-fonts.js';
import { pageScript } from './page-script.js';
import { placingScript } from './place-content.js';
import { PageClock } from './recording/clock.js';
import type { PageRequests } from './requests.js';

export interface OpenPageParts {
  requests: PageRequests;
  /** What the page's clock shows when it begins. */
  epochMs: number;
}

const maxIdleTasks = 100;

/** Loads a page while its clock stands still: what loading takes is never seen in the image. */
export async function openPage({ session }: Tab, page: HtmlPage, { requests, epochMs }: OpenPageParts): Promise<PageClock> {
  const { width, height, dpi } = page;
  await session.send('Page.enable');
  // The window has the image's size; Chromium draws single frames of it at density 1, so that the page is scaled up in it.
  const density = dpi === 1 ? {} : { dontSetVisibleSize: true, scale: dpi };
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: dpi, mobile: false, ...density });
  await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript });
  const { frameTree } = await session.send('Page.getFrameTree');
  await requests.start(frameTree.frame.id);
  const clock = await PageClock.start(session, epochMs);
  // The empty page before it has its own load event, which may come late.
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
    // Something in it waits for time to pass.
    await clock.tick();
    // A page that tried to go elsewhere meanwhile never says that it is loaded.
    const { result } = await session.send('Runtime.evaluate', { expression: 'document.readyState', returnByValue: true });
    if (result.value !== 'loading' && requests.seen === seen) break;
    seen = requests.seen;
  }
  // There is no way back to the empty page before it.
  await session.send('Page.resetNavigationHistory').catch(() => {});
  // Laying out asks for the fonts and images that only styles name, and scripts for what they begin with; an answer
  // comes to its reader through several turns.
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

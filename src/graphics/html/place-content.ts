import type { ContentPlace } from './page.js';

/**
 * Script that aligns a snippet in its page, in a box of the size of its content. Snippets that fill the page or position themselves are left
 * unchanged: those with percentage sizes, an own body size, content out of flow, or content larger than the page.
 */
export function placingScript({ horizontal, vertical }: ContentPlace): string {
  return `(() => {
  const body = document.body;
  const view = { width: innerWidth, height: innerHeight };
  const root = body.querySelector(':scope > framewright-root') ?? body;
  const isOurs = (one, side) => Math.abs(parseFloat(getComputedStyle(one)[side]) - view[side]) < 0.5;
  const { display, position } = getComputedStyle(body);
  if (display !== 'block' || position !== 'static' || !isOurs(body, 'width') || !isOurs(body, 'height')) return;
  const isFree = (one) => {
    const { position } = getComputedStyle(one);
    return position === 'fixed' || (position === 'absolute' && (one.offsetParent === null || one.offsetParent === body));
  };
  if ([...body.querySelectorAll('*')].some(isFree)) return;
  const isShare = (one, side) => {
    const size = one.computedStyleMap().get(side);
    return size.unit === 'percent' || size instanceof CSSMathValue;
  };
  const fills = (side) => [...root.children].some((one) => isShare(one, side));
  const set = (one, properties) => Object.entries(properties).forEach(([name, value]) => one.style.setProperty(name, value, 'important'));
  const place = (side, [low, high], to) => {
    if (to === undefined || fills(side)) return;
    const before = [body, root].map((one) => [one, one.getAttribute('style')]);
    for (const [one] of before) if (isOurs(one, side)) set(one, { [side]: 'fit-content' });
    const length = body.getBoundingClientRect()[side];
    if (length < 1 || length > view[side] - 1) {
      for (const [one, style] of before) style === null ? one.removeAttribute('style') : one.setAttribute('style', style);
      return;
    }
    const margin = to.margin + 'px';
    if (to.at === 'low') set(body, { position: 'absolute', [low]: margin });
    else if (to.at === 'high') set(body, { position: 'absolute', [low]: 'auto', [high]: margin });
    else set(body, { position: 'absolute', [low]: '0', [high]: '0', ['margin-' + low]: 'auto', ['margin-' + high]: 'auto' });
  };
  place('width', ['left', 'right'], ${JSON.stringify(horizontal)});
  place('height', ['top', 'bottom'], ${JSON.stringify(vertical)});
})()`;
}

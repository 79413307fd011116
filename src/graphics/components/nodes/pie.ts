import type { TreeNode } from '../pack.js';
import { lookUp } from '../placeholders.js';
import type { Settings } from '../settings.js';
import { seriesCount } from '../theme.js';

/**
 * Arcs of a pie chart of `chart.values`: each starts at the top and covers the ones before it, so that all can grow together. Without any value above
 * zero an empty ring.
 */
export function pieNodes(settings: Settings, template: TreeNode): TreeNode[] {
  const values = [lookUp(settings, 'chart.values')].flat().map((value) => Math.max(0, Number(value) || 0));
  const total = values.reduce((sum, value) => sum + value, 0);
  const arcOf = (share: number, color: string): TreeNode => ({
    kind: 'arc',
    share,
    fixed: { position: 'absolute', left: 0, top: 0, width: '100%', height: '100%', color },
    ...(template.thickness === undefined ? {} : { thickness: template.thickness }),
    ...(template.motion === undefined ? {} : { motion: template.motion }),
    ...(template.delay === undefined ? {} : { delay: template.delay }),
  });
  if (total <= 0) return [arcOf(1, '{{theme.line}}')];
  let sum = 0;
  const arcs = values.map((value, index) => {
    sum += value;
    return arcOf(Math.min(1, Math.round((sum / total) * 1e5) / 1e5), `{{theme.series-${index % seriesCount}}}`);
  });
  return arcs.toReversed();
}

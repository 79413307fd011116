/** Bars of BD-rate by SSIM, one for each clip and plan; data lost to the right. An SVG document. */
export function chartOf(rows) {
  const height = 22;
  const middle = 420;
  const largest = Math.max(1, ...rows.map(({ ssim }) => Math.abs(ssim ?? 0)));
  const bars = rows.map(({ clip, plan, ssim = 0 }, index) => {
    const y = 50 + index * height;
    const width = (Math.abs(ssim) / largest) * 220;
    const x = ssim < 0 ? middle - width : middle;
    const text = `<text x="12" y="${y + 14}">${clip}, ${plan}</text><text x="660" y="${y + 14}">${ssim.toFixed(1)} %</text>`;
    return `${text}<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(1, width).toFixed(1)}" height="16" fill="${ssim > 0 ? '#e4572e' : '#2e86ab'}"/>`;
  });
  const size = `width="740" height="${70 + rows.length * height}"`;
  const title = '<text x="12" y="28" font-size="17">Data for equal SSIM beside the plain encoder (left: less)</text>';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="Inter, sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/>${title}${bars.join('')}</svg>\n`;
}

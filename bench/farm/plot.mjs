/** Rates on a common axis; each row its own scale. */
const width = 900;
const left = 230;
const rowHeight = 120;

export function plotFarm({ runs, settings, machine }) {
  const steady = runs.filter(({ crashesPerHour }) => crashesPerHour === 0);
  const rows = [
    {
      name: 'movies finished per hour',
      unit: '/h',
      values: steady.map(({ rate, done, submitted, behind }) => (rate * (done - behind)) / Math.max(1, submitted)),
      wanted: steady.map(({ rate }) => rate),
    },
    { name: 'overhead per segment, median', unit: ' ms', values: steady.map(({ overheadMs }) => overheadMs.median) },
    { name: 'overhead per segment, p95', unit: ' ms', values: steady.map(({ overheadMs }) => overheadMs.p95) },
    { name: 'wait for the first step, p95', unit: ' ms', values: steady.map(({ waitMs }) => waitMs.p95) },
    { name: 'turnaround, median', unit: ' ms', values: steady.map(({ turnaroundMs }) => turnaroundMs.median) },
    { name: 'cores of PostgreSQL', unit: '', values: steady.map(({ postgresCores }) => postgresCores) },
  ];
  const rates = steady.map(({ rate }) => rate);
  const height = 70 + rows.length * rowHeight;
  const title = `${settings.hosts * settings.slots} simulated render processes on ${settings.hosts} hosts (from 100k/h on each as fast as ten), real queue, ${machine.cores} cores`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="13"><title>${title}</title><rect width="100%" height="100%" fill="#fff"/><text x="10" y="24" font-size="16">${title}</text>${rows.map((row, index) => plotRow(row, rates, 40 + index * rowHeight)).join('')}</svg>\n`;
}

function plotRow({ name, unit, values, wanted = [] }, rates, top) {
  const max = Math.max(0.01, ...values, ...wanted);
  const [first, last] = [Math.log(rates[0] ?? 1), Math.log(rates.at(-1) ?? 2)];
  const x = (rate) => left + 10 + ((width - left - 60) * (Math.log(rate) - first)) / Math.max(1e-9, last - first);
  const y = (value) => top + (rowHeight - 40) * (1 - value / max) + 8;
  const points = (series) => series.map((value, index) => `${x(rates[index]).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const marks = values.map(
    (value, index) =>
      `<circle cx="${x(rates[index]).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3" fill="#1f5fa8"><title>${rates[index]}/h: ${format(value)}${unit}</title></circle>`,
  );
  const labels = rates.map((rate) => `<text x="${x(rate).toFixed(1)}" y="${top + rowHeight - 18}" text-anchor="middle" fill="#555">${format(rate)}/h</text>`);
  const line = wanted.length > 0 ? `<polyline points="${points(wanted)}" fill="none" stroke="#bbb" stroke-dasharray="4 4"/>` : '';
  return `<rect x="${left}" y="${top}" width="${width - left - 20}" height="${rowHeight - 34}" fill="#f4f4f4"/><text x="10" y="${top + 20}">${name}</text><text x="10" y="${top + 38}" fill="#555">max ${format(max)}${unit}</text>${line}<polyline points="${points(values)}" fill="none" stroke="#1f5fa8" stroke-width="1.5"/>${marks.join('')}${labels.join('')}`;
}

function format(value) {
  if (value >= 1000) return `${Math.round(value / 100) / 10}k`;
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);
}

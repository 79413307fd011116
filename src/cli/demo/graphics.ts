import { type Canvas, createCanvas } from '@napi-rs/canvas';

/** Draws the logo: three rotated frames behind a play symbol. */
export function drawLogo(): Canvas {
  const size = 640;
  const canvas = createCanvas(size, size);
  const ctx = canvas.getContext('2d');
  ctx.translate(size / 2, size / 2);
  const colors: Array<[string, string]> = [
    ['#40e0be', '#2aa7d6'],
    ['#5a8cff', '#6f5cf0'],
    ['#be5aeb', '#ff8278'],
  ];
  for (const [index, [from, to]] of colors.entries()) {
    ctx.save();
    ctx.rotate((index * Math.PI) / 6);
    const gradient = ctx.createLinearGradient(-200, -200, 200, 200);
    gradient.addColorStop(0, from);
    gradient.addColorStop(1, to);
    ctx.strokeStyle = gradient;
    ctx.globalAlpha = 0.9;
    ctx.lineWidth = 30;
    ctx.lineJoin = 'round';
    ctx.beginPath();
    ctx.roundRect(-190, -190, 380, 380, 64);
    ctx.stroke();
    ctx.restore();
  }
  ctx.fillStyle = '#ffffff';
  ctx.strokeStyle = '#ffffff';
  ctx.lineJoin = 'round';
  ctx.lineWidth = 26;
  ctx.beginPath();
  ctx.moveTo(-44, -78);
  ctx.lineTo(92, 0);
  ctx.lineTo(-44, 78);
  ctx.closePath();
  ctx.fill();
  ctx.stroke();
  return canvas;
}

/** Draws a dark translucent panel with a bright edge, the background of a lower third. */
export function drawPanel(): Canvas {
  const canvas = createCanvas(920, 210);
  const ctx = canvas.getContext('2d');
  const ground = ctx.createLinearGradient(0, 0, 920, 0);
  ground.addColorStop(0, 'rgba(8,12,30,0.82)');
  ground.addColorStop(0.7, 'rgba(8,12,30,0.62)');
  ground.addColorStop(1, 'rgba(8,12,30,0)');
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, 920, 210);
  const edge = ctx.createLinearGradient(0, 0, 0, 210);
  edge.addColorStop(0, '#40e0be');
  edge.addColorStop(1, '#5a8cff');
  ctx.fillStyle = edge;
  ctx.fillRect(0, 0, 12, 210);
  return canvas;
}

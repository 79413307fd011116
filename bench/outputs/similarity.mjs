/** PSNR in dB of frames against a reference: of luma, of RGB over a checkerboard, and of alpha; the mean and the worst frame of each. */
export function similarityOf(frames, reference, width, name) {
  if (frames.length !== reference.length) throw new Error(`${name}: ${frames.length} frames instead of ${reference.length}`);
  const ofFrames = frames.map((frame, index) => similarityOfFrame(frame, reference[index], width));
  const summarize = (name) => {
    const values = ofFrames.map((one) => one[name]);
    return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, worst: Math.min(...values) };
  };
  return { luma: summarize('luma'), color: summarize('color'), alpha: summarize('alpha') };
}

function similarityOfFrame(a, b, width) {
  const count = a.length / 4;
  let [luma, color, alpha] = [0, 0, 0];
  for (let pixel = 0; pixel < count; ++pixel) {
    const at = pixel * 4;
    const board = ((((pixel % width) >> 3) + (Math.floor(pixel / width) >> 3)) & 1) * 105 + 100;
    const [alphaA, alphaB] = [a[at + 3], b[at + 3]];
    alpha += (alphaA - alphaB) ** 2;
    const red = (a[at] * alphaA - b[at] * alphaB + board * (alphaB - alphaA)) / 255;
    const green = (a[at + 1] * alphaA - b[at + 1] * alphaB + board * (alphaB - alphaA)) / 255;
    const blue = (a[at + 2] * alphaA - b[at + 2] * alphaB + board * (alphaB - alphaA)) / 255;
    color += red * red + green * green + blue * blue;
    luma += (0.2126 * red + 0.7152 * green + 0.0722 * blue) ** 2;
  }
  return { luma: decibels(luma, count), color: decibels(color, count * 3), alpha: decibels(alpha, count) };
}

/** 99 dB for equal frames. */
const decibels = (squares, count) => (squares === 0 ? 99 : Math.min(99, 10 * Math.log10((255 * 255 * count) / squares)));

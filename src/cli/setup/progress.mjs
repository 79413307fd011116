/** Prints progress: one rewritten line on a terminal, else plain lines, repeated every 30 s so that a long step in a CI log does not look hung. */
export function createProgress(out) {
  const isLive = Boolean(out.isTTY);
  const line = (text) => out.write(`${text}\n`);
  const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

  /** Runs `work` under a title. `work` gets a function that sets a detail to show beside it. */
  async function step(title, work) {
    const startedAt = performance.now();
    let detail = '';
    const draw = () => {
      const text = `  ${title} … ${detail} ${seconds(startedAt)}`;
      if (isLive) out.write(`\r\x1b[K${text}`);
      else line(text);
    };
    const finish = (outcome) => line(`${isLive ? '\r\x1b[K' : ''}  ${title}: ${outcome} (${seconds(startedAt)})`);
    if (!isLive) line(`  ${title} …`);
    const timer = setInterval(draw, isLive ? 200 : 30_000);
    try {
      const value = await work((text) => {
        detail = text;
      });
      finish('done');
      return value;
    } catch (error) {
      finish('failed');
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  return { line, step };
}

/**
 * Tells what goes on: a line that is rewritten on a terminal, plain lines elsewhere (with a sign of life
 * every half minute, so that a long step in a CI log is not taken for a hang).
 */
export function createProgress(out) {
  const live = Boolean(out.isTTY);

  const line = (text) => out.write(`${text}\n`);

  const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

  /** Runs `work` under a title; `work` gets a function to report how far it is. */
  async function step(title, work) {
    const startedAt = performance.now();
    let detail = '';
    const draw = () => out.write(`\r\x1b[K  ${title} … ${detail} ${Math.round((performance.now() - startedAt) / 1000)} s`);
    if (!live) {
      line(`  ${title} …`);
    }
    const timer = setInterval(live ? draw : () => line(`  ${title} … ${detail} ${seconds(startedAt)}`), live ? 200 : 30_000);
    try {
      const value = await work((text) => {
        detail = text;
      });
      line(`${live ? '\r\x1b[K' : ''}  ${title}: done (${seconds(startedAt)})`);
      return value;
    } catch (error) {
      line(`${live ? '\r\x1b[K' : ''}  ${title}: failed (${seconds(startedAt)})`);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  return { line, step };
}

import { drive, requestBytes } from './load.mjs';
import { startHello, startService } from './programs.mjs';

const connections = 50;
export const script = { scenes: [{ duration: 4, 'background-color': '#16324f', elements: [{ type: 'text', text: 'Hello, film', style: '003' }] }] };

/**
 * How many renders a second are accepted and how many jobs are shown, in turns with the bare server.
 * The service is killed at the end, without a chance to save anything: what it accepted must be in the database.
 */
export async function trialAccepting({ seconds, rounds }, print) {
  const [hello, service] = [await startHello(), await startService(0)];
  try {
    const key = service.createKey();
    const accepted = new Set();
    let refused = 0;
    const onAnswer = (status, body) => {
      if (status === 202) accepted.add(JSON.parse(body).job_id);
      else refused += 1;
    };
    const post = requestBytes('POST', '/api/render', { 'x-api-key': key }, JSON.stringify(script));
    const greet = requestBytes('GET', '/');
    const submitOnce = { url: service.url, request: () => post, connections: 1, seconds: 0.2, warmUpSeconds: 0, onAnswer };
    await drive(submitOnce);
    const gets = [...accepted].map((id) => requestBytes('GET', `/api/jobs/${id}`, { 'x-api-key': key }));
    let next = 0;
    const get = () => gets[next++ % gets.length];
    const results = [];
    for (let round = 0; round < rounds; round += 1) {
      const settings = { connections, seconds };
      const bare = await driveProgram(hello, { ...settings, request: () => greet });
      const shown = await driveProgram(service, { ...settings, request: get });
      const posted = await driveProgram(service, { ...settings, request: () => post, onAnswer });
      results.push({ bare, shown, posted });
      print(`round ${round + 1}: ${line('hello', bare)}; ${line('GET job', shown, bare)}; ${line('POST render', posted, bare)}`);
    }
    await service.stop('SIGKILL');
    const books = service.readBooks();
    const lost = [...accepted].filter((id) => !books.jobs.has(id)).length;
    const ratios = {
      shown: median(results.map((r) => r.shown.perSecond / r.bare.perSecond)),
      posted: median(results.map((r) => r.posted.perSecond / r.bare.perSecond)),
    };
    print(`GET job ${ratios.shown.toFixed(3)} of hello, POST render ${ratios.posted.toFixed(3)} of hello (medians)`);
    print(
      `after kill -9: ${accepted.size} accepted, ${lost} lost, ${refused} refused, ${books.jobs.size} jobs, ${books.wrong} accounts off, integrity ${books.sound ? 'ok' : 'BROKEN'}`,
    );
    const debitedOk = books.debited === books.jobs.size * script.scenes[0].duration;
    if (lost > 0 || refused > 0 || books.wrong > 0 || !books.sound || !debitedOk) throw new Error('The books are wrong after kill -9.');
    return { results, ratios, accepted: accepted.size, lost };
  } finally {
    await Promise.all([hello.stop(), service.stop('SIGKILL')]);
    await service.remove();
  }
}

/** Also what each answer cost the program's processor time, which a busy machine changes less than the answers a second. */
async function driveProgram(program, settings) {
  const before = program.cpuSeconds();
  const result = await drive({ ...settings, url: program.url, warmUpSeconds: 0 });
  const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  return { ...result, cpuMicroseconds: ((program.cpuSeconds() - before) * 1e6) / answers };
}

function line(name, { perSecond, p50, p99, cpuMicroseconds }, bare) {
  const ratio = bare === undefined ? '' : ` (${(perSecond / bare.perSecond).toFixed(3)})`;
  return `${name} ${Math.round(perSecond)}/s${ratio} p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms, ${Math.round(cpuMicroseconds)} µs of CPU`;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

import { databases } from './databases.mjs';
import { drive, requestBytes } from './load.mjs';
import { startHello, startService } from './programs.mjs';

const connections = 50;
const script = { scenes: [{ duration: 4, 'background-color': '#16324f', elements: [{ type: 'text', text: 'Hello, film', style: '003' }] }] };

/**
 * Renders accepted and jobs shown per second on each database, interleaved with a bare server and, with `beside`, with the service of
 * another built checkout. Service and database are killed at the end without a chance to save anything: what was accepted must be there.
 */
export async function trialAccepting({ seconds, rounds, database, accounts, beside }, print) {
  const results = {};
  for (const name of database.split(',')) {
    if (!Object.hasOwn(databases, name)) throw new Error(`Unknown database "${name}"; allowed: ${Object.keys(databases).join(', ')}.`);
    const hello = await startHello();
    const subjects = [];
    try {
      if (beside !== undefined) subjects.push(await openSubject(`${name} beside`, databases[name], accounts, beside));
      subjects.push(await openSubject(name, databases[name], accounts));
      // Renders are submitted and shown for a while before anything counts: a service that has just started runs code that is not compiled yet.
      for (const subject of subjects) await warmUp(subject, { connections, seconds });
      for (let round = 0; round < rounds; round += 1) {
        for (const subject of subjects) await measureRound(subject, hello, { connections, seconds }, print);
      }
      for (const subject of subjects) results[subject.name] = await conclude(subject, print);
    } finally {
      await hello.stop();
      for (const subject of subjects) await subject.remove();
    }
  }
  return results;
}

/** A service with its database, keys and first jobs. */
async function openSubject(name, createDatabase, accounts, folder) {
  const database = await createDatabase();
  const service = await startService(0, database.environment, folder);
  const keys = Array.from({ length: accounts }, (_none, index) => service.createKey('live', `account ${index}`));
  const accepted = new Set();
  const subject = { name, database, service, accepted, refused: 0, rounds: [] };
  subject.onAnswer = (status, body) => {
    if (status === 202) accepted.add(JSON.parse(body).job_id);
    else subject.refused += 1;
  };
  const posts = keys.map((key) => requestBytes('POST', '/api/render', { 'x-api-key': key }, JSON.stringify(script)));
  await drive({ url: service.url, request: () => posts[0], connections: 1, seconds: 0.2, warmUpSeconds: 0, onAnswer: subject.onAnswer });
  subject.post = inTurn(posts);
  subject.get = inTurn([...accepted].map((id) => requestBytes('GET', `/api/jobs/${id}`, { 'x-api-key': keys[0] })));
  subject.remove = async () => {
    await service.stop('SIGKILL');
    await service.remove();
    await database.remove();
  };
  return subject;
}

function inTurn(requests) {
  let next = 0;
  return () => requests[next++ % requests.length];
}

async function warmUp({ service, get, post, onAnswer }, settings) {
  await drive({ ...settings, url: service.url, request: get, warmUpSeconds: 0 });
  await drive({ ...settings, url: service.url, request: post, onAnswer, warmUpSeconds: 0 });
}

async function measureRound({ name, service, database, get, post, onAnswer, rounds }, hello, settings, print) {
  const greet = requestBytes('GET', '/');
  const bare = await driveProgram(hello, undefined, { ...settings, request: () => greet });
  const shown = await driveProgram(service, database, { ...settings, request: get });
  const posted = await driveProgram(service, database, { ...settings, request: post, onAnswer });
  if (Object.keys(shown.statuses).join() !== '200') throw new Error(`GET answered ${JSON.stringify(shown.statuses)}.`);
  rounds.push({ bare, shown, posted });
  print(`${name} ${rounds.length}: ${line('hello', bare)}; ${line('GET job', shown, bare)}; ${line('POST render', posted, bare)}`);
}

async function conclude({ name, service, database, accepted, refused, rounds }, print) {
  await service.stop('SIGKILL');
  const books = await database.readBooks();
  const lost = [...accepted].filter((id) => !books.jobs.has(id)).length;
  const summary = Object.fromEntries(['shown', 'posted'].map((kind) => [kind, summarize(rounds, kind)]));
  print(`${name}: ${describe('GET job', summary.shown)}; ${describe('POST render', summary.posted)} (medians)`);
  print(
    `${name}, after kill -9: ${accepted.size} accepted, ${lost} lost, ${refused} refused, ${books.jobs.size} jobs, ${books.wrong} accounts off, integrity ${books.sound ? 'ok' : 'BROKEN'}`,
  );
  const debitedOk = books.debited === books.jobs.size * script.scenes[0].duration;
  if (lost > 0 || refused > 0 || books.wrong > 0 || !books.sound || !debitedOk) throw new Error('The books are wrong after kill -9.');
  return { rounds, summary, accepted: accepted.size, lost };
}

function summarize(rounds, kind) {
  return {
    perSecond: median(rounds.map((round) => round[kind].perSecond)),
    ratio: median(rounds.map((round) => round[kind].perSecond / round.bare.perSecond)),
    cpuMicroseconds: median(rounds.map((round) => round[kind].cpuMicroseconds)),
    databaseMicroseconds: median(rounds.map((round) => round[kind].databaseMicroseconds)),
    bareCpuMicroseconds: median(rounds.map((round) => round.bare.cpuMicroseconds)),
  };
}

function describe(name, { perSecond, ratio, cpuMicroseconds, databaseMicroseconds, bareCpuMicroseconds }) {
  const cost = `${Math.round(cpuMicroseconds)} + ${Math.round(databaseMicroseconds)} µs of CPU (hello ${Math.round(bareCpuMicroseconds)})`;
  return `${name} ${Math.round(perSecond)}/s, ${ratio.toFixed(3)} of hello, ${cost}`;
}

/** Adds the CPU time that each answer cost the program and its database, which a busy machine changes less than the answers per second. */
async function driveProgram(program, database, settings) {
  const read = () => [program.cpuSeconds(), database?.cpuSeconds() ?? 0];
  const before = read();
  const result = await drive({ ...settings, url: program.url, warmUpSeconds: 0 });
  const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  const [cpuMicroseconds, databaseMicroseconds] = read().map((seconds, index) => ((seconds - before[index]) * 1e6) / answers);
  return { ...result, cpuMicroseconds, databaseMicroseconds };
}

function line(name, { perSecond, p50, p99, cpuMicroseconds, databaseMicroseconds }, bare) {
  const ratio = bare === undefined ? '' : ` (${(perSecond / bare.perSecond).toFixed(3)})`;
  const database = databaseMicroseconds > 0 ? ` + ${Math.round(databaseMicroseconds)}` : '';
  return `${name} ${Math.round(perSecond)}/s${ratio} p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms, ${Math.round(cpuMicroseconds)}${database} µs of CPU`;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

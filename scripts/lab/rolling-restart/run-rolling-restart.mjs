import { setTimeout as sleep } from "node:timers/promises";
import { startBalancedLoad } from "./start-balanced-load.mjs";

/** Responses between two restarts, so that connections are in use at every restart. */
const ANSWERS_BETWEEN = 100;
const LOOK_MS = 20;

/**
 * Replaces every web process, then every worker, of a cluster under load, one at a time. Resolves with the clients'
 * results, the new processes, and for each stop the time it took after the last response. `pauseMs`: pause of a client
 * after each response; 0 = as many requests as the machine can answer. `writes`: the demo's phone writes to its line, too.
 * `recipients`: the phones that get the messages in turn; by default only the demo's, so that all messages are in one chat.
 */
export async function runRollingRestart({
  cluster,
  webs,
  workers,
  demo,
  pauseMs = 0,
  writes = false,
  recipients = [demo.phone],
  say = () => undefined,
}) {
  const load = startBalancedLoad({
    targets: webs.map(({ baseUrl }) => baseUrl),
    token: demo.token,
    pauseMs,
    writing: writes ? { phone: demo.phone, line: demo.line } : undefined,
    body: (turn) => ({
      from: demo.line,
      to: [recipients[turn % recipients.length]],
      message: { parts: [{ type: "text", value: `restart ${turn}` }] },
    }),
  });
  const stops = [];
  const newWebs = [];
  const newWorkers = [];

  async function stop(name, old) {
    await untilAnswered(load, load.answered() + ANSWERS_BETWEEN);
    const began = performance.now();
    await old.stop();
    const ended = performance.now();
    const lastRequestAt = Math.max(began, load.lastAnswerAt(old.baseUrl));
    stops.push({ name, tookMs: Math.round(ended - began), afterLastMs: Math.round(ended - lastRequestAt) });
    say(`${name} stopped in ${Math.round(ended - began)} ms`);
    load.remove(old.baseUrl);
  }

  try {
    for (const web of webs) {
      await stop("web", web);
      const replacement = await cluster.startWeb();
      newWebs.push(replacement);
      load.add(replacement.baseUrl);
    }
    for (const worker of workers) {
      await stop("worker", worker);
      newWorkers.push(await cluster.startWorker());
    }
    await untilAnswered(load, load.answered() + ANSWERS_BETWEEN);
  } catch (error) {
    await load.stop();
    throw error;
  }
  return { ...(await load.stop()), stops, webs: newWebs, workers: newWorkers };
}

async function untilAnswered(load, count) {
  while (load.answered() < count) await sleep(LOOK_MS);
}

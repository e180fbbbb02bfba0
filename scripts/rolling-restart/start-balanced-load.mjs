import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const CLIENTS = 6;
const READY_POLL_MS = 100;
const REFUSED_PAUSE_MS = 20;

/**
 * Starts clients behind a simulated load balancer that checks /ready. Each client keeps its connections, honors
 * `Connection: close`, and uses another target when a connection is refused. Each sends one message after another until
 * `stop`, and waits `pauseMs` after each response.
 */
export function startBalancedLoad({ targets, token, body, pauseMs }) {
  const pool = new Map();
  const report = { answered: 0, accepted: [], refused: 0, failures: [] };
  let isRunning = true;
  for (const baseUrl of targets) add(baseUrl);
  const clients = Array.from({ length: CLIENTS }, (_, index) => work(index));

  function add(baseUrl) {
    pool.set(baseUrl, { agent: new Agent({ keepAlive: true }), isReady: true, lastAnswerAt: 0 });
    void watch(baseUrl);
  }

  async function watch(baseUrl) {
    while (isRunning && pool.has(baseUrl)) {
      const answer = await fetch(`${baseUrl}/ready`).catch(() => null);
      await answer?.arrayBuffer();
      const target = pool.get(baseUrl);
      if (target !== undefined) target.isReady = answer?.status === 200;
      await sleep(READY_POLL_MS);
    }
  }

  async function work(index) {
    for (let turn = index; isRunning; turn++) {
      const all = [...pool];
      const ready = all.filter(([, { isReady }]) => isReady);
      const [baseUrl, target] = (ready.length > 0 ? ready : all)[turn % (ready.length || all.length)];
      try {
        const { status, text } = await post(`${baseUrl}/v3/chats`, {
          agent: target.agent,
          token,
          body: body(turn),
        });
        target.lastAnswerAt = performance.now();
        report.answered += 1;
        if (status < 300) report.accepted.push(JSON.parse(text).chat.message.id);
        else report.failures.push(`${status} ${text.slice(0, 200)}`);
        await sleep(pauseMs);
      } catch (error) {
        // Nothing was sent, so the next target is used, as every load balancer does.
        if (error.code !== "ECONNREFUSED") report.failures.push(`${error.code}: ${error.message}`);
        else report.refused += 1;
        target.isReady = false;
        await sleep(REFUSED_PAUSE_MS);
      }
    }
  }

  return {
    add,
    /** Stops checking a target that has ended. */
    remove: (baseUrl) => pool.delete(baseUrl),
    /** The performance.now() of a target's last response. */
    lastAnswerAt: (baseUrl) => pool.get(baseUrl)?.lastAnswerAt ?? 0,
    answered: () => report.answered,
    async stop() {
      isRunning = false;
      await Promise.all(clients);
      for (const { agent } of pool.values()) agent.destroy();
      return report;
    },
  };
}

function post(url, { agent, token, body }) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const asking = request(url, { method: "POST", agent, headers }, async (response) => {
      try {
        const chunks = await Array.fromAsync(response);
        resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() });
      } catch (error) {
        reject(error);
      }
    });
    asking.once("error", reject);
    asking.end(JSON.stringify(body));
  });
}

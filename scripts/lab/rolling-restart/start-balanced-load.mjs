import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const CLIENTS = 6;
const WRITERS = 2;
const READY_POLL_MS = 100;
const REFUSED_PAUSE_MS = 20;

/**
 * Starts clients behind a simulated load balancer that checks /ready. Each client keeps its connections, honors
 * `Connection: close`, and uses another target when a connection is refused. Each sends one message after another until
 * `stop`, and waits `pauseMs` after each response. `writing`: the phone and line of two further clients, which write to the
 * line as the phone. The report has each of their accepted messages with its text.
 */
export function startBalancedLoad({ targets, token, body, pauseMs, writing }) {
  const pool = new Map();
  const report = { answered: 0, accepted: [], written: [], refused: 0, failures: [] };
  let isRunning = true;
  for (const baseUrl of targets) add(baseUrl);
  const clients = Array.from({ length: CLIENTS }, (_, index) => work(index, send));
  if (writing !== undefined) {
    clients.push(...Array.from({ length: WRITERS }, (_, index) => work(index, write)));
  }

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

  async function send(baseUrl, agent, { turn }) {
    const answer = await post(`${baseUrl}/v3/chats`, { agent, token, body: body(turn) });
    if (answer.status < 300) report.accepted.push(JSON.parse(answer.text).chat.message.id);
    return answer;
  }

  async function write(baseUrl, agent, { index, turn }) {
    const text = `written ${index} ${turn}`;
    const url = `${baseUrl}/simulator/phones/${encodeURIComponent(writing.phone)}/messages`;
    const answer = await post(url, { agent, token, body: { to: writing.line, text } });
    if (answer.status < 300) report.written.push({ id: JSON.parse(answer.text).message_id, text });
    return answer;
  }

  async function work(index, ask) {
    for (let turn = index; isRunning; turn++) {
      const all = [...pool];
      const ready = all.filter(([, { isReady }]) => isReady);
      const [baseUrl, target] = (ready.length > 0 ? ready : all)[turn % (ready.length || all.length)];
      try {
        const { status, text } = await ask(baseUrl, target.agent, { index, turn });
        target.lastAnswerAt = performance.now();
        report.answered += 1;
        if (status >= 300) report.failures.push(`${status} from ${baseUrl}: ${text.slice(0, 300)}`);
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

import { setTimeout as sleep } from "node:timers/promises";
import { sendRequest } from "../../instance/call-instance.mjs";

const RESPONSE_TIMEOUT_MS = 15_000;
const AGAIN_MS = 100;
/** Longer than any fault takes with the restart after it. */
const GIVE_UP_MS = 90_000;

/**
 * Sends a request of a partner's program as the documentation advises: to another web process when a connection is
 * refused, and again after a failure if that is safe. `isRepeatable`: the request reads, or has an idempotency key. Any
 * other is repeated only if the response says that nothing was stored. The answer is part of the history: `status` is
 * null if none arrived, and `mayHaveHappened` says that a request without a final answer may have been carried out.
 */
export async function askInstance(world, request) {
  const {
    partner,
    operation,
    body,
    headers,
    isRepeatable = operation.startsWith("GET "),
    step = null,
  } = request;
  const asked = {
    step,
    partner,
    operation,
    begunAt: performance.now(),
    answeredAt: null,
    tries: 0,
    status: null,
    body: null,
    mayHaveHappened: false,
  };
  world.history.requests.push(asked);
  for (let turn = request.via ?? 0; ; turn++) {
    asked.tries++;
    const answer = await tryOnce(world, { partner, operation, body, headers, web: turn });
    if (answer.status !== null && answer.status < 500) return end(asked, answer);
    const isStored = answer.status === null ? !answer.isRefused : !answer.isSafeToRepeat;
    asked.mayHaveHappened ||= isStored;
    if ((!isRepeatable && isStored) || performance.now() - asked.begunAt > GIVE_UP_MS)
      return end(asked, answer);
    await sleep(AGAIN_MS);
  }
}

function end(asked, { status, body }) {
  return Object.assign(asked, { status, body, answeredAt: performance.now() });
}

async function tryOnce(world, { partner, operation, body, headers: sent, web }) {
  const { baseUrl } = world.webs[web % world.webs.length];
  const target = { baseUrl, token: world.partners[partner].token, headers: sent };
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const { status, headers, body: answered } = await sendRequest(target, operation, body, { signal });
    return { status, body: answered, isSafeToRepeat: headers.get("x-should-retry") === "true" };
  } catch (error) {
    return { status: null, body: null, isRefused: error.cause?.code === "ECONNREFUSED" };
  }
}

import { randomBytes, randomUUID } from "node:crypto";
import { signWebhook, toSigningSecret } from "../../lib/webhooks/sign-webhook.ts";

const RESPONSE_TIMEOUT_MS = 10_000;
/** Like webhooks, events are posted without waiting for earlier ones, up to this number. */
const MAX_IN_FLIGHT = 10;

/** Posts events to `target` like a webhook subscription, and prints a line for each. */
export function startForwarding({ target, secret = toSigningSecret(randomBytes(32)), say }) {
  const subscriptionId = randomUUID();
  const inFlight = new Set();

  async function post({ type, data }) {
    const { body, eventId, marks } = toWebhook(data);
    const signed = { subscriptionId, eventId, eventType: type, body, sentAt: new Date() };
    const signature = signWebhook({ legacy: secret, all: [secret] }, signed);
    const headers = { "content-type": "application/json", ...signature, ...marks };
    const from = performance.now();
    const answer = await answerOf(target, { headers, body });
    const again = "x-webhook-replay" in marks ? " (again)" : "";
    say(`${clockTime()}  ${type}${again}  ${eventId}  ${answer}  ${Math.round(performance.now() - from)} ms`);
  }

  return {
    secret,
    /** Resolves when there is capacity for another event. */
    async forward(event) {
      const posting = post(event).finally(() => inFlight.delete(posting));
      inFlight.add(posting);
      if (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight);
    },
  };
}

// A replayed webhook has the original body and headers that mark it as a replay.
function toWebhook(data) {
  const { replay, ...envelope } = JSON.parse(data);
  const eventId = envelope.event_id;
  if (replay === undefined) return { body: data, eventId, marks: {} };
  const marks = { "x-webhook-replay": "true", "x-webhook-replay-id": replay };
  return { body: JSON.stringify(envelope), eventId, marks };
}

async function answerOf(target, { headers, body }) {
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(target, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    return error.cause?.code ?? error.name;
  }
}

function clockTime() {
  return new Date().toTimeString().slice(0, 8);
}

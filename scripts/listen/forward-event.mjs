import { randomBytes, randomUUID } from "node:crypto";
import { signWebhook, toSigningSecret } from "../../lib/webhooks/sign-webhook.ts";

const ANSWER_MS = 10_000;
/** As webhooks, events are posted without waiting for earlier ones, up to so many. */
const IN_HAND_MOST = 10;

/** Posts events to `target` as a webhook subscription would, and says a line of each. */
export function startForwarding({ target, secret = toSigningSecret(randomBytes(32)), say }) {
  const subscriptionId = randomUUID();
  const inHand = new Set();

  async function post({ type, data }) {
    const { body, eventId, replay } = toWebhook(data);
    const signed = { subscriptionId, eventId, eventType: type, body, sentAt: new Date() };
    const headers = {
      "content-type": "application/json",
      ...signWebhook({ legacy: secret, all: [secret] }, signed),
    };
    const from = performance.now();
    const answer = await answerOf(target, { headers, body });
    const again = replay === undefined ? "" : " (again)";
    say(`${clockTime()}  ${type}${again}  ${eventId}  ${answer}  ${Math.round(performance.now() - from)} ms`);
  }

  return {
    secret,
    /** Resolves when there is room for another. */
    async forward(event) {
      const posting = post(event).finally(() => inHand.delete(posting));
      inHand.add(posting);
      if (inHand.size >= IN_HAND_MOST) await Promise.race(inHand);
    },
  };
}

// What is replayed says so in the stream alone: its webhook has the body of the first time.
function toWebhook(data) {
  const { replay, ...envelope } = JSON.parse(data);
  return { body: replay === undefined ? data : JSON.stringify(envelope), eventId: envelope.event_id, replay };
}

async function answerOf(target, { headers, body }) {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
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

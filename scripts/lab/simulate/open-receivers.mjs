import { Webhook } from "standardwebhooks";
import { startReceiver } from "../../../lib/testing/servers/start-receiver.ts";
import { callInstance } from "../../instance/call-instance.mjs";

/** The events that receivers and streams of a world get. */
export const EVENTS = [
  "message.sent",
  "message.delivered",
  "message.read",
  "message.received",
  "message.failed",
  "message.opt_out",
  "message.opt_in",
  "reaction.added",
  "reaction.removed",
  "chat.created",
  "payment.succeeded",
  "payment.canceled",
  "payment.expired",
];
/** Retries long enough for every fault, and often enough that the deliveries end soon after it. */
const RETRY_SECONDS = [1, 1, 2, 2, ...Array(40).fill(3)];

/**
 * Starts the receivers of a partner and subscribes them. Each verifies the signature of every request and answers as its
 * plan says, or with its `fault`: `fails` with 503, `drops` the connection, or `hangs` for longer than a response may take.
 */
export async function openReceivers(program, plans, { index, random, stops }) {
  const receivers = [];
  for (const [place, plan] of plans.entries()) {
    const state = { secret: null, fault: null, requests: [] };
    const receiver = await startReceiver((response, _count, request) =>
      answer({ state, plan, random }, { response, request, received: receiver.received.splice(0)[0] }),
    );
    stops.push(() => receiver.close());
    const { id, signing_secret } = await callInstance(program, "POST /v3/webhook-subscriptions", {
      target_url: `${receiver.url}?partner=${index}&place=${place}`,
      subscribed_events: EVENTS,
      retry_seconds: RETRY_SECONDS,
    });
    state.secret = signing_secret;
    receivers.push({ id, state });
  }
  return receivers;
}

function answer({ state, plan, random }, { response, request, received }) {
  const { event_id: eventId, event_type: type, sequence } = received.event;
  const noted = { eventId, type, sequence, isSigned: isSigned(state.secret, received), status: null };
  state.requests.push(noted);
  const end = (status) => {
    response.on("finish", () => {
      noted.status = status;
    });
    response.writeHead(status).end();
  };
  if (state.fault === "drops") request.socket.destroy();
  else if (state.fault === "fails" || random.chance(plan.failing)) end(503);
  else setTimeout(() => end(200), state.fault === "hangs" ? 12_000 : plan.slowMs);
}

function isSigned(secret, { body, headers }) {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

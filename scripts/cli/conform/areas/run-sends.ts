import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { reasonWithout } from "@/scripts/cli/conform/areas/operation-step";
import { describeResponse } from "@/scripts/cli/conform/examine-response";
import type { Run } from "@/scripts/cli/conform/run";
import { type DeliveredMessage, untilDelivered } from "@/scripts/cli/conform/until-delivered";
import { idAt, textAt, valueAt } from "@/scripts/cli/conform/value-at";

const SEND = "POST /v3/chats/{chatId}/messages";
/** Times may be written in seconds, in part. */
const TOLERANCE_MS = 1000;
/** A status never goes back. */
const ORDER = ["pending", "queued", "sent", "delivered", "read"];

/** The area `sends`: what a message is after it was accepted, until it was delivered and deleted. */
export async function runSends(run: Run): Promise<void> {
  const reason = reasonWithout(["chatId"], run.world);
  if (reason !== null) return run.checks.skip("sends", "a message", reason);
  const body = { message: textMessage("Conformance test: delivery") };
  const accepted = await run.call(SEND, { body });
  const subject = { area: "sends", section: "7.1", request: accepted.request } as const;
  const expected = "202 at once, with delivery_status pending and service null";
  const finding =
    accepted.status === 202
      ? { problems: acceptedProblems(accepted.json) }
      : run.examine(SEND, accepted, { status: 202 });
  run.add({ ...subject, name: "the response", expected }, finding);
  const id = idAt(accepted.json, "message.id");
  if (id === undefined) return;

  const seen = await untilDelivered(run, id);
  const wanted = run.world.isOwn ? "delivered" : "sent or delivered";
  const states = [...new Set(seen.map(({ delivery_status }) => delivery_status))];
  const path = `pending, sent, delivered; in the end ${wanted}`;
  run.add(
    { ...subject, section: "7.5", name: "the delivery status", expected: path },
    { problems: stateProblems(states, run.world.isOwn) },
  );
  run.add(
    {
      ...subject,
      section: "7.5",
      name: "the times",
      expected: "created_at, sent_at and delivered_at in this order",
    },
    { problems: timeProblems(seen.at(-1)) },
  );
  await checkLatestFirst(run);
  await checkDeleted(run, id);
}

function acceptedProblems(json: unknown): string[] {
  const status = valueAt(json, "message.delivery_status");
  const service = valueAt(json, "message.service");
  return [
    ...(idAt(json, "message.id") === undefined ? ["message.id is missing"] : []),
    ...(status === "pending" ? [] : [`delivery_status is ${status}`]),
    ...(service == null ? [] : [`service is ${service}`]),
  ];
}

function stateProblems(states: readonly string[], isOwn: boolean): string[] {
  const ranks = states.map((state) => ORDER.indexOf(state));
  const goesBack = ranks.some((rank, index) => rank < (ranks[index - 1] ?? -1));
  const last = states.at(-1) ?? "unknown";
  const isOver = ["delivered", "read"].includes(last) || (!isOwn && last === "sent");
  if (states.includes("failed")) return ["the message failed"];
  return [
    ...(goesBack ? [`goes back: ${states.join(", ")}`] : []),
    ...(isOver ? [] : [`is still ${last} after the time limit`]),
  ];
}

function timeProblems(message: DeliveredMessage | undefined): string[] {
  if (message === undefined) return ["GET /v3/messages/{messageId} does not return the message"];
  const times = [message.created_at, message.sent_at, message.delivered_at].flatMap((time) =>
    time == null ? [] : [Date.parse(time)],
  );
  const isSent = typeof message.sent_at === "string";
  const isOrdered = times.every((time, index) => time + TOLERANCE_MS > (times[index - 1] ?? 0));
  return [...(isSent ? [] : ["sent_at is missing"]), ...(isOrdered ? [] : [`are ${times.join(", ")}`])];
}

/** In an account that others use, another chat may have become the latest. */
async function checkLatestFirst(run: Run): Promise<void> {
  const name = "the chat is the first of the list";
  if (!run.world.isOwn) return run.checks.skip("sends", name, "other programs may use the account");
  const response = await run.call("GET /v3/chats", { query: "limit=1" });
  const first = textAt(response.json, "chats.0.id");
  const problems = first === run.world.chatId ? [] : [`is ${first ?? describeResponse(response)}`];
  const subject = { area: "sends", name, section: "1.6", request: response.request } as const;
  run.add({ ...subject, expected: "most recent activity first" }, { problems });
}

async function checkDeleted(run: Run, messageId: string): Promise<void> {
  const path = { messageId };
  const subject = { area: "sends", section: "7.7" } as const;
  await run.check({ ...subject, name: "the deletion of a message" }, "DELETE /v3/messages/{messageId}", {
    ...{ path, expect: { status: 204 } },
  });
  await run.check({ ...subject, name: "a deleted message" }, "GET /v3/messages/{messageId}", {
    ...{ path, expect: { status: 404, codes: [2002] } },
  });
}

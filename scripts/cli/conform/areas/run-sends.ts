import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { reasonToSkip } from "@/scripts/cli/conform/areas/operation-step";
import { describeResponse } from "@/scripts/cli/conform/examine-response";
import type { Run } from "@/scripts/cli/conform/run";
import { type DeliveredMessage, untilDelivered } from "@/scripts/cli/conform/until-delivered";

/** A status never goes back. */
const ORDER = ["pending", "queued", "sent", "delivered", "read"];

/** The area `sends`: what a message is after it was accepted, until it was delivered and deleted. */
export async function runSends(run: Run): Promise<void> {
  const reason = reasonToSkip({ op: "", needs: ["chatId"] }, run.world);
  if (reason !== null) return run.checks.skip("sends", "a message", reason);
  const body = { message: textMessage("Conformance test: delivery") };
  const accepted = await run.call("POST /v3/chats/{chatId}/messages", { body });
  const { message } = (accepted.json ?? {}) as { message?: DeliveredMessage };
  const subject = { area: "sends", section: "7.1", request: accepted.request } as const;
  const expected = "202 at once, with delivery_status pending and service null";
  run.add(
    { ...subject, name: "the response", expected },
    { problems: acceptedProblems(accepted.status, message) },
  );
  if (message?.id === undefined) return;
  run.guard.own(message.id);

  const seen = await untilDelivered(run, message.id);
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
  await checkDeleted(run, message.id);
}

function acceptedProblems(status: number, message: DeliveredMessage | undefined): string[] {
  if (status !== 202) return [`${status} in place of 202`];
  const problems: string[] = [];
  if (message?.delivery_status !== "pending") problems.push(`delivery_status is ${message?.delivery_status}`);
  if (message?.service != null) problems.push(`service is ${message.service}`);
  return problems;
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
  const isSent = message.sent_at !== null;
  const isOrdered = times.every((time, index) => time >= (times[index - 1] ?? 0));
  return [...(isSent ? [] : ["sent_at is null"]), ...(isOrdered ? [] : [`are ${times.join(", ")}`])];
}

/** In an account that others use, another chat may have become the latest. */
async function checkLatestFirst(run: Run): Promise<void> {
  const name = "the chat is the first of the list";
  if (!run.world.isOwn) return run.checks.skip("sends", name, "other programs may use the account");
  const response = await run.call("GET /v3/chats", { query: "limit=1" });
  const { chats: [chat] = [] } = (response.json ?? {}) as { chats?: { id: string }[] };
  const problems = chat?.id === run.world.chatId ? [] : [`is ${chat?.id ?? describeResponse(response)}`];
  const subject = { area: "sends", name, section: "1.6", request: response.request } as const;
  run.add({ ...subject, expected: "most recent activity first" }, { problems });
}

async function checkDeleted(run: Run, messageId: string): Promise<void> {
  const path = { messageId };
  const deleted = await run.call("DELETE /v3/messages/{messageId}", { path });
  await run.check(
    { area: "sends", name: "a deleted message", section: "7.7", expected: "204, then 404/2002" },
    "GET /v3/messages/{messageId}",
    { path, expect: deleted.status === 204 ? { status: 404, codes: [2002] } : { status: 0 } },
  );
}

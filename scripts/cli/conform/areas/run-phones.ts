import { textMessage } from "@/scripts/cli/conform/areas/chat-steps";
import { reasonWithout } from "@/scripts/cli/conform/areas/operation-step";
import { addPhone, PEOPLE, phoneSays } from "@/scripts/cli/conform/prepare";
import type { Run } from "@/scripts/cli/conform/run";
import { untilDelivered, untilStatus } from "@/scripts/cli/conform/until-delivered";
import { idAt, valueAt } from "@/scripts/cli/conform/value-at";

/** The area `phones`: what simulated people do to the account. Skipped without the simulator. */
export async function runPhones(run: Run): Promise<void> {
  const reason = run.world.isOwn ? reasonWithout(["chatId"], run.world) : "needs simulated phones: --phones";
  if (reason !== null) return run.checks.skip("phones", "what people do", reason);
  const handle = run.world.recipient ?? "";
  const checks = {
    ...{ inbound: checkInbound, read: checkRead, "opt-out": checkOptOut, block: checkBlock },
    stranger: checkStranger,
  };
  for (const [name, check] of Object.entries(checks)) {
    await run.attempt("phones", name, () => check(run, handle));
  }
}

const send = "POST /v3/chats/{chatId}/messages";
const attempt = () => ({ body: { message: textMessage("Conformance test: phones") } });

async function checkInbound(run: Run, handle: string): Promise<void> {
  const said = await phoneSays(run, handle, "Hello there");
  const messageId = idAt(said.json, "message_id") ?? run.world.unknownId;
  const chatId = valueAt(said.json, "chat_id");
  const subject = { area: "phones", name: "a received message", section: "8.1" } as const;
  const { response } = await run.check(
    { ...subject, expected: "received, not from me, in the chat with the person" },
    "GET /v3/messages/{messageId}",
    { path: { messageId }, expect: { status: 200 } },
  );
  const status = valueAt(response.json, "delivery_status");
  const isFromMe = valueAt(response.json, "is_from_me");
  const problems = [
    ...(status === "received" ? [] : [`delivery_status is ${status}`]),
    ...(isFromMe === false ? [] : [`is_from_me is ${isFromMe}`]),
    ...(chatId === run.world.chatId ? [] : [`the chat is ${chatId}`]),
  ];
  run.add(
    { ...subject, name: "the status of a received message", expected: "received, in the same chat" },
    { problems },
  );
}

async function checkRead(run: Run, handle: string): Promise<void> {
  const { json } = await run.call(send, attempt());
  const id = idAt(json, "message.id");
  await untilDelivered(run, id);
  await run.http.send({
    ...{ method: "POST", path: `/simulator/phones/${handle}/read` },
    body: { chat_id: run.world.chatId },
  });
  const message = (await untilStatus(run, id, ["read", "failed"])).at(-1);
  const isRead = message?.delivery_status === "read" && typeof message.read_at === "string";
  const subject = { area: "phones", name: "a read message", section: "7.5" } as const;
  run.add(
    { ...subject, expected: "read, with read_at" },
    {
      problems: isRead ? [] : [`delivery_status is ${message?.delivery_status}, read_at ${message?.read_at}`],
    },
  );
}

/** The exact keyword stops sends to the person, and the next message ends it. */
async function checkOptOut(run: Run, handle: string): Promise<void> {
  const check = (name: string, expect: { status: number; codes?: number[] }, more: object = {}) => {
    const call = { body: { ...attempt().body, ...more } };
    return run.check({ area: "phones", name, section: "9.1" }, send, { ...call, expect });
  };
  await phoneSays(run, handle, "Please STOP the noise");
  await check("a send after a keyword inside of a text", { status: 202 });
  await phoneSays(run, handle, "STOP");
  await check("a send after STOP", { status: 403, codes: [2024] });
  await check("a send after STOP with override_optout", { status: 202 }, { override_optout: true });
  await phoneSays(run, handle, "Hello, I am back");
  await check("a send after the person wrote again", { status: 202 });
}

/** In a sandbox, a person has to write first. */
async function checkStranger(run: Run): Promise<void> {
  const handle = await addPhone(run, PEOPLE);
  if (handle === null) return;
  const body = { from: run.world.line, to: [handle], message: textMessage("Conformance test: phones") };
  await run.check(
    { area: "phones", name: "a send to a person who never wrote", section: "2.2" },
    "POST /v3/chats",
    {
      ...{ body, expect: { status: 403, codes: [2008] } },
    },
  );
}

async function checkBlock(run: Run, handle: string): Promise<void> {
  const subject = { area: "phones", section: "9.2" } as const;
  const blocked = { body: { handle } };
  await run.check({ ...subject, name: "a block" }, "POST /v3/blocked_handles", {
    ...blocked,
    expect: { status: 200 },
  });
  await run.check({ ...subject, name: "a send to a blocked person" }, send, {
    ...{ ...attempt(), expect: { status: 403, codes: [2026] } },
  });
  await run.check({ ...subject, name: "the end of a block" }, "DELETE /v3/blocked_handles", {
    ...{ ...blocked, expect: { status: 204 } },
  });
  await run.check({ ...subject, name: "a send after the end of a block" }, send, {
    ...{ ...attempt(), expect: { status: 202 } },
  });
  await run.check({ ...subject, name: "a block that does not exist" }, "DELETE /v3/blocked_handles", {
    ...{ ...blocked, expect: { status: 404, codes: [2025] } },
  });
}

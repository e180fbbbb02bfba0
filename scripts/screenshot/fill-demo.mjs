import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { callInstance } from "../instance/call-instance.mjs";
import { startReceiver } from "../instance/start-receiver.mjs";

const WAIT_MS = 20_000;
const FAILING_PHONE = "+15550100103";

/**
 * Calls to the instance as the demo's program (`call`) and as its admin with this session cookie (`callAsAdmin`), and
 * the demo's credentials.
 */
export function openDemo({ baseUrl, firstRun, cookie }) {
  return {
    call: (operation, body) => callInstance({ baseUrl, token: firstRun.token }, operation, body),
    callAsAdmin: (operation, body) =>
      callInstance({ baseUrl, headers: { cookie, origin: baseUrl } }, operation, body),
    firstRun,
  };
}

/**
 * Fills the demo account with one of everything that the dashboard shows, through the API, the simulator and the
 * dashboard's private API. Returns the values of the path parameters of pages, and the pages outside the dashboard:
 * `{ params, pages }`.
 */
export async function fillDemo(demo, chatId) {
  const receiver = await startReceiver();
  const webhooks = await fillWebhooks(demo, receiver);
  const attachmentId = await sendImage(demo);
  const payments = await fillPayments(demo);
  const agentPayments = await fillAgentPayments(demo);
  await fillRecipients(demo);
  await scheduleMessage(demo, chatId);
  const token = await invite(demo);
  const lineId = await auditLine(demo);

  const deliveryId = await newestOf(
    demo,
    `/api/webhooks/${webhooks.subscriptionId}/deliveries`,
    "deliveries",
  );
  const requestId = await newestOf(demo, "/api/requests", "requests");
  const traceId = await newestOf(demo, `/api/chats/${chatId}/messages`, "messages");
  receiver.stop();
  return {
    params: {
      ...{ chatId, attachmentId, lineId, deliveryId, requestId, token, traceId },
      ...{ subscriptionId: webhooks.subscriptionId, paymentRequestId: payments.id },
      ...{ paymentId: agentPayments.id, handle: agentPayments.handle },
      ...{ group: "chats", type: "message.received", range: "2xxx", code: "2024" },
      "consumers/name": "billing",
      ...{ "guides/slug": "sending", path: "guides/sending.md", language: "typescript" },
    },
    pages: [...payments.pages, ...agentPayments.pages],
  };
}

/** Repeats `read` until it returns a value other than null. */
async function until(what, read) {
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    const result = await read();
    if (result !== null) return result;
    await sleep(50);
  }
  throw new Error(`the demo data is incomplete: ${what}`);
}

async function newestOf({ callAsAdmin }, url, property) {
  return until(url, async () => (await callAsAdmin(`GET ${url}`))[property][0]?.id ?? null);
}

async function fillWebhooks({ call }, receiver) {
  const events = ["message.sent", "message.delivered", "message.failed", "message.received"];
  const { id } = await call("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: events,
  });
  // Port 9 is the discard service, which is not in use anywhere, so deliveries to this endpoint fail.
  await call("POST /v3/webhook-subscriptions", {
    target_url: "http://localhost:9/hook",
    subscribed_events: ["message.failed"],
  });
  await call("PUT /v3/consumers/billing", { types: ["message.received", "message.failed"], start: "oldest" });
  await call("PUT /v3/consumers/new", {});
  await call("POST /v3/consumers/billing/poll", { limit: 1, lease_seconds: 600 });
  return { subscriptionId: id };
}

/** Adds conversations to the demo account and returns the chat of the README's screenshots. */
export async function fillChats({ call, firstRun: { phone, line } }) {
  const { chats } = await call("GET /v3/chats");
  const chat = chats.find(({ handles }) => handles.some(({ handle }) => handle === phone));
  const send = (chatId, value) =>
    call(`POST /v3/chats/${chatId}/messages`, { message: { parts: [{ type: "text", value }] } });
  const write = (handle, text) => call(`POST /simulator/phones/${handle}/messages`, { to: line, text });

  await call("POST /simulator/phones", {
    handle: FAILING_PHONE,
    name: "Phone without service",
    fault: "unreachable",
  });
  const failing = await write(FAILING_PHONE, "Is the kitchen still open?");
  await untilStatus(call, await send(failing.chat_id, "Yes, until ten tonight."), "failed");

  const booked = await send(chat.id, "Your table for two is booked for 7:30 PM. See you tonight!");
  await untilStatus(call, booked, "delivered");
  await call(`POST /simulator/phones/${phone}/read`, { chat_id: chat.id });
  await write(phone, "Perfect. Can we make it three people?");
  const changed = await send(chat.id, "Of course. Your table for three is confirmed.");
  await untilStatus(call, changed, "delivered");
  await call(`POST /simulator/phones/${phone}/reactions`, { message_id: changed.message.id, type: "love" });
  await call(`POST /simulator/phones/${phone}/read`, { chat_id: chat.id });
  return chat.id;
}

function scheduleMessage({ call }, chatId) {
  const message = { parts: [{ type: "text", value: "Good morning! Your table is ready at 7:30 PM." }] };
  const send_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  return call(`POST /v3/chats/${chatId}/messages`, { message, send_at });
}

async function untilStatus(call, { message }, status) {
  await until(`message ${status}`, async () => {
    const { delivery_status } = await call(`GET /v3/messages/${message.id}`);
    return delivery_status === status ? true : null;
  });
}

async function sendImage({ call, firstRun: { rcs_line } }) {
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: "#1b4f72" } })
    .png()
    .toBuffer();
  const file = { filename: "menu.png", content_type: "image/png", size_bytes: bytes.length };
  const { attachment_id, upload_url, required_headers } = await call("POST /v3/attachments", file);
  const uploaded = await fetch(upload_url, { method: "PUT", headers: required_headers, body: bytes });
  if (!uploaded.ok) throw new Error(`the upload failed with ${uploaded.status}`);
  const { chats } = await call("GET /v3/chats");
  const chat = chats.find(({ handles }) => handles.some(({ handle }) => handle === rcs_line));
  await call(`POST /v3/chats/${chat.id}/messages`, {
    message: { parts: [{ type: "media", attachment_id }] },
  });
  return attachment_id;
}

async function fillPayments({ call }) {
  const request = (amount, description, locale = "en") =>
    call("POST /v3/payment_requests", { amount, currency: "usd", description, locale });
  const canceled = await request(1800, "Two coffees");
  await call(`POST /v3/payment_requests/${canceled.id}/cancel`);
  const { id, checkout_url } = await request(4250, "Dinner for two");
  const translated = await Promise.all(
    ["es", "fr", "de"].map(async (locale) => {
      const { checkout_url: url } = await request(990, "Café", locale);
      return { name: `checkout-${locale}`, url };
    }),
  );
  return {
    id,
    pages: [
      { name: "checkout", url: checkout_url },
      { name: "checkout-canceled", url: canceled.checkout_url },
      ...translated,
    ],
  };
}

async function fillAgentPayments({ call, callAsAdmin, firstRun: { line } }) {
  const handle = "+15550100105";
  await call("POST /simulator/phones", { handle, name: "Alan's iPhone" });
  await call(`POST /simulator/phones/${handle}/messages`, { to: line, text: "Book the usual table, please" });
  const { connect_id } = await call(`POST /v3/payments/handles/${handle}/connect`);
  const code = await until("the code on the phone", async () => {
    const { phones } = await call("GET /simulator/phones");
    const screen = JSON.stringify(phones.find((one) => one.handle === handle));
    return /"(\d{6}) is your code to let /.exec(screen)?.[1] ?? null;
  });
  await call(`POST /v3/payments/handles/${handle}/verify`, { code, connect_id });
  const { attach_url } = await call("POST /v3/payments", {
    ...{ amount_cents: 4200, currency: "usd", handle, description: "Dinner for two" },
    merchant: { name: "Harbor Kitchen", url: "https://harbor.example" },
  });
  const { payments } = await callAsAdmin("GET /api/agent-payments");
  return { id: payments[0].internal_id, handle, pages: [{ name: "wallet-attach", url: attach_url }] };
}

async function fillRecipients({ call, callAsAdmin, firstRun: { line } }) {
  await call("POST /v3/blocked_handles", { handle: "+15550100199", reason: "Repeated abuse" });
  const optOut = { handle: "+15550100198", opted_out: true, note: "Asked by phone" };
  await callAsAdmin("POST /api/opt-outs", optOut);
  const handle = "+15550100104";
  await call("POST /simulator/phones", { handle, name: "Lin's iPhone" });
  await call(`POST /simulator/phones/${handle}/messages`, { to: line, text: "please stop writing to me" });
}

async function invite({ callAsAdmin }) {
  const email = `grace.${randomBytes(3).toString("hex")}@example.com`;
  const person = { email, name: "Grace Hopper", role: "support" };
  const { link } = await callAsAdmin("POST /api/people", person);
  return new URL(link.url).pathname.split("/").at(-1);
}

async function auditLine({ call, firstRun: { line } }) {
  await call(`POST /v3/phone_numbers/${encodeURIComponent(line)}/reputation_audit`);
  const { phone_numbers } = await call("GET /v3/phone_numbers");
  return phone_numbers.find(({ phone_number }) => phone_number === line).id;
}

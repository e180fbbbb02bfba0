import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { routes } from "@/.generated/route-table";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { createLine } from "@/lib/lines/lines/create-line";
import { sql } from "@/lib/platform/database/db";
import { ERRORS, type ErrorName } from "@/lib/platform/errors/errors";
import { now } from "@/lib/platform/time/clock";
import { operationsOf } from "@/lib/runtime/openapi/operations";
import { type ApiAnswer, type ApiCall, callApi } from "@/lib/testing/call-api";
import { uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone, writeAs } from "@/lib/testing/factories";
import { FILES } from "@/lib/testing/samples/file-samples";
import { createTestGroup } from "@/lib/testing/test-chats";

const UNKNOWN = "01a00000-0000-7000-8000-000000000000";
const text = { parts: [{ type: "text", value: "hello" }] };
const card = {
  type: "imessage_app",
  app: { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" },
  layout: { caption: "Your move" },
};

let account: TestAccount;
let other: TestAccount;
let phone: string;
let direct: string;
let group: string;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  other = await createTestAccount({ type: "production" });
  phone = await createTestPhone(account);
  direct = await createDirectChat(account, phone);
  ({ chatId: group } = await createTestGroup(account, 3));
});

function call(what: `${string} ${string}`, body?: unknown, more: ApiCall = {}): Promise<ApiAnswer> {
  return callApi(what, { token: account.token, ...more, ...(body === undefined ? {} : { body }) });
}

function send(chatId: string, message: object = text): Promise<ApiAnswer> {
  return call(`POST /v3/chats/${chatId}/messages`, { message });
}

function create(to: string[], message: object = text): Promise<ApiAnswer> {
  return call("POST /v3/chats", { from: account.line, to, message });
}

/** Sends a request while the simulated line behaves as configured. */
async function whileLine(
  knobs: Record<string, unknown>,
  sendRequest: () => Promise<ApiAnswer>,
  line = account.line,
): Promise<ApiAnswer> {
  const path = `PUT /simulator/lines/${line}` as const;
  const back = Object.fromEntries(
    Object.entries(knobs).map(([name, value]) => [name, typeof value === "boolean" ? !value : "ACTIVE"]),
  );
  await call(path, knobs);
  const answer = await sendRequest();
  await call(path, back);
  return answer;
}

/**
 * Requires RCS on a line whose best service is RCS, so that it is not just a preference
 * (docs/contract.md, section 7.4).
 */
async function sendOverRcsLine(knobs: Record<string, unknown> | null = null): Promise<ApiAnswer> {
  const line = `+1558${String(process.hrtime.bigint() % 10_000_000n).padStart(7, "0")}`;
  await createLine(account.ref, { phoneNumber: line, lineType: "RCS", transport: "simulator" });
  const handle = await createTestPhone(account, { platform: "android_rcs" });
  const { chatId } = await writeAs(account, handle, { to: line, text: "hi" });
  const sendRequest = () => send(chatId, { ...text, preferred_service: "RCS" });
  return knobs === null ? sendRequest() : whileLine(knobs, sendRequest, line);
}

async function announce(more: object = {}): Promise<ApiAnswer> {
  const file = { filename: "a.png", content_type: "image/png", size_bytes: 64, ...more };
  return call("POST /v3/attachments", file);
}

async function uploaded(bytes: Buffer, more: object): Promise<ApiAnswer> {
  const { body } = await announce({ size_bytes: bytes.length, ...more });
  const { status, headers, body: answer } = await uploadFile(body, bytes);
  return { status, headers, body: answer };
}

async function overSms(): Promise<string> {
  return createDirectChat(account, await createTestPhone(account, { platform: "sms_only" }));
}

async function messageIn(chatId: string): Promise<string> {
  return (await send(chatId)).body.message.id;
}

const checkRcs = () => call("POST /v3/capability/check_rcs", { address: "+15550007002" });

/** One request that causes each error. Partner programs rely only on the status and the code. */
const ROWS: Partial<Record<ErrorName, () => Promise<ApiAnswer>>> = {
  field_missing: () => call("POST /v3/chats", { from: account.line }),
  phone_not_e164: () => create(["555 0100"]),
  body_invalid: () => call("POST /v3/chats", "{"),
  route_unknown: () => call("GET /v3/nothing"),
  method_not_allowed: () => call("PATCH /v3/chats", {}),
  content_invalid: () => send(direct, { parts: [text.parts[0], text.parts[0]] }),
  parameter_invalid: () => call("GET /v3/chats/no-uuid"),
  name_unknown: () => call("GET /v3/experiences/magic"),
  direct_chat: () => call(`PUT /v3/chats/${direct}`, { display_name: "We two" }),
  rate_limited: async () => {
    await checkRcs();
    return checkRcs();
  },
  app_message_invalid: () => send(direct, { parts: [{ ...card, app: { ...card.app, team_id: "x" } }] }),
  app_clip_invalid: () => send(direct, { parts: [{ type: "app_clip", value: "https://evil.example/" }] }),
  chat_not_found: () => call(`GET /v3/chats/${UNKNOWN}`),
  message_not_found: () => call(`GET /v3/messages/${UNKNOWN}`),
  attachment_not_found: () => call(`GET /v3/attachments/${UNKNOWN}`),
  unauthorized: () => callApi("GET /v3/chats"),
  access_denied: () => call(`GET /v3/chats/${direct}`, undefined, { token: other.token }),
  line_not_permitted: () => call("POST /v3/chats", { from: other.line, to: [phone], message: text }),
  attachment_not_ready: async () => {
    const { body } = await announce();
    return send(direct, { parts: [{ type: "media", attachment_id: body.attachment_id }] });
  },
  recipient_not_allowed: async () => create([await createTestPhone(account)]),
  chat_being_created: async () => {
    const phones = [await createTestPhone(account), await createTestPhone(account)];
    for (const handle of phones) await createDirectChat(account, handle);
    return whileLine({ groups_wait: true }, async () => {
      await create(phones);
      return create(phones);
    });
  },
  subscription_not_found: () => call(`GET /v3/webhook-subscriptions/${UNKNOWN}`),
  feature_not_available: () => call("GET /simulator/phones", undefined, { token: other.token }),
  contact_card_not_found: () =>
    call(`PATCH /v3/contact_card?phone_number=${encodeURIComponent(account.line)}`, { first_name: "Pier" }),
  chat_unavailable: async () => {
    const { chatId } = await createTestGroup(account, 4);
    await call(`POST /v3/chats/${chatId}/leave`);
    return send(chatId);
  },
  contact_card_exists: async () => {
    const make = () => call("POST /v3/contact_card", { phone_number: account.line, first_name: "Harbor" });
    await make();
    return make();
  },
  state_conflict: async () => {
    const subscribe = () =>
      call("POST /v3/webhook-subscriptions", {
        target_url: "https://example.com/twice",
        subscribed_events: ["message.sent"],
      });
    await subscribe();
    return subscribe();
  },
  not_in_groups: () => call(`POST /v3/chats/${group}/typing`),
  service_not_supported: async () =>
    call(`POST /v3/chats/${await overSms()}/polls`, { poll: { options: [{ text: "a" }, { text: "b" }] } }),
  app_message_needs_imessage: () => send(direct, { parts: [card], preferred_service: "SMS" }),
  line_not_found: () => call(`PUT /v3/phone_numbers/${UNKNOWN}`, { forwarding_number: null }),
  audit_not_found: () => call(`GET /v3/phone_numbers/${account.line}/reputation_audit/${UNKNOWN}`),
  contact_card_failed: () =>
    whileLine({ cards_fail: true }, () =>
      call(`PATCH /v3/contact_card?phone_number=${encodeURIComponent(account.line)}`, { first_name: "Pier" }),
    ),
  group_required: () => call(`POST /v3/chats/${direct}/leave`),
  opted_out: async () => {
    const handle = await createTestPhone(account);
    const { chatId } = await writeAs(account, handle, { to: account.line, text: "STOP" });
    return send(chatId);
  },
  blocked_handle_not_found: () => call("DELETE /v3/blocked_handles", { handle: "+15550009090" }),
  recipient_blocked: async () => {
    const handle = await createTestPhone(account);
    const chatId = await createDirectChat(account, handle);
    await call("POST /v3/blocked_handles", { handle });
    return send(chatId);
  },
  line_restricted: () => whileLine({ status: "FLAGGED" }, () => send(direct)),
  app_clip_needs_imessage: () =>
    send(direct, { parts: [{ type: "app_clip", value: "https://a.example" }], preferred_service: "SMS" }),
  sticker_needs_imessage: async () => {
    const messageId = await messageIn(await overSms());
    const sticker = { operation: "add", type: "sticker", emoji: "🎉" };
    return call(`POST /v3/messages/${messageId}/reactions`, sticker);
  },
  locations_not_available: async () => {
    await updateAccountOptions(account.context(), { body: { locations: false } });
    return call(`GET /v3/chats/${direct}/location`);
  },
  location_share_not_found: async () => {
    await updateAccountOptions(account.context(), { body: { locations: true } });
    return call(`DELETE /v3/chats/${direct}/location`);
  },
  service_unavailable: async () => {
    await updateAccountOptions(account.context(), { body: { rcs: false } });
    const answer = await sendOverRcsLine();
    await updateAccountOptions(account.context(), { body: { rcs: true } });
    return answer;
  },
  type_not_supported: async () => {
    const handle = await createTestPhone(account);
    const chatId = await createDirectChat(account, handle);
    await call("POST /simulator/phones", { handle, platform: "sms_only" });
    return send(chatId, { parts: [card] });
  },
  sender_not_eligible: async () => {
    const phones = [await createTestPhone(account), await createTestPhone(account)];
    for (const handle of phones) await createDirectChat(account, handle);
    return create(phones, { parts: [{ ...card, layout: { image_url: "https://example.com/a.png" } }] });
  },
  rcs_account_missing: () => sendOverRcsLine({ has_rcs_account: false }),
  rcs_check_unavailable: () => sendOverRcsLine({ checks_fail: true }),
  file_url_failed: async () => {
    await call("PUT /simulator/files", { upload_urls_fail: true });
    const answer = await announce();
    await call("PUT /simulator/files", { upload_urls_fail: false });
    return answer;
  },
  download_failed: async () => {
    const { body } = await announce();
    await call("PUT /simulator/files", { upload_urls_fail: false, downloads_fail: true });
    const answer = await call(`GET /v3/attachments/${body.attachment_id}`);
    await call("PUT /simulator/files", { upload_urls_fail: false, downloads_fail: false });
    return answer;
  },
  quiet_hours: async () => {
    const isMorning = now().getUTCHours() < 12;
    const hours = isMorning ? { from: "00:00", to: "12:00" } : { from: "12:00", to: "00:00" };
    const quiet_hours = { ...hours, time_zone: "Etc/UTC", action: "refuse" as const };
    await updateAccountOptions(account.context(), { body: { quiet_hours } });
    const answer = await create([await createTestPhone(account)]);
    await updateAccountOptions(account.context(), { body: { quiet_hours: null } });
    return answer;
  },
  consumer_not_found: () => call("POST /v3/consumers/none/poll"),
  consumer_leased: async () => {
    await call("PUT /v3/consumers/leased", { start: "oldest" });
    await call("POST /v3/consumers/leased/poll");
    return call("POST /v3/consumers/leased/poll");
  },
  events_expired: async () => {
    await call("PUT /v3/consumers/expired", {});
    await sql.runText({
      text: "update event_consumers set lost_through = position + 1 where name = 'expired'",
    });
    return call("POST /v3/consumers/expired/poll");
  },
  file_type_invalid: () => announce({ content_type: "audio/flac", filename: "a.flac" }),
  file_too_large: () => announce({ size_bytes: 100 * 1024 * 1024 + 1 }),
  content_type_mismatch: () => uploaded(FILES.pdf, { content_type: "image/png" }),
  image_download_failed: () => send(direct, { parts: [{ type: "media", url: "https://127.0.0.1:1/a.png" }] }),
};

const OTHERS: ReadonlySet<string> = new Set(["Payment requests", "Agent payments", "Experiences", "Events"]);

test("every error a messaging operation documents has a row", () => {
  const documented = operationsOf(routes)
    .filter(({ contract }) => !OTHERS.has(contract.tag))
    .flatMap(({ contract }) => contract.errors);
  expect(documented.filter((name) => ROWS[name] === undefined)).toEqual([]);
});

test.each(Object.entries(ROWS))("%s is earned, with its number, status and page", async (name, earn) => {
  const row = Object.entries(ERRORS).find(([known]) => known === name)?.[1];
  const { status, body, headers } = await earn();
  expect([status, body.error.code]).toEqual([row?.status, row?.code]);
  expect(body).toMatchObject({ success: false, trace_id: headers.get("x-trace-id") });
  expect(body.error.message.startsWith(row?.message)).toBe(true);
  expect(body.error.doc_url).toMatch(
    new RegExp(`/error/codes/${Math.floor(body.error.code / 1000)}xxx/${body.error.code}/$`),
  );
});

// Runs last because it removes a table.
test("internal: an unexpected error is 500/3006 and does not expose its cause", async () => {
  await sql.runText({ text: "alter table webhook_subscriptions rename to away" });
  const { status, body } = await call("GET /v3/webhook-subscriptions");
  expect([status, body.error.code, body.error.message]).toEqual([500, 3006, ERRORS.internal.message]);
});

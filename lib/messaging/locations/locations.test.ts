import "@/lib/testing/use-test-database";

import { afterEach, beforeAll, expect, test } from "vitest";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { endDueShares } from "@/lib/messaging/locations/end-due-shares";
import { receiveLocation } from "@/lib/messaging/locations/receive-location";
import { listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { sql } from "@/lib/platform/database/db";
import type { Queue } from "@/lib/platform/database/queue";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { tablesWith } from "@/lib/testing/database/tables-with";
import { advanceClock, changeTestPhone, createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { listPhoneActions } from "@/lib/testing/phone-actions";
import { createTestGroup } from "@/lib/testing/test-chats";
import { until } from "@/lib/testing/until";

const HERE = { longitude: 13.4, latitude: 52.5, address: "Unter den Linden 1", locality: "Berlin" };

let account: TestAccount;
let worker: Queue | undefined;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

const call = (what: `${string} ${string}`, body?: unknown) => callApi(what, { token: account.token, body });

async function openChat() {
  const phone = await createTestPhone(account);
  return { phone, chatId: await createDirectChat(account, phone) };
}

const share = (phone: string, more: object = {}) =>
  call(`POST /simulator/phones/${phone}/location`, { to: account.line, position: HERE, ...more });

async function shareNow(phone: string, more: object = {}) {
  expect((await share(phone, more)).status).toBe(200);
}

async function featuresOf(chatId: string) {
  const { status, body } = await call(`GET /v3/chats/${chatId}/location`);
  expect([status, body.success, body.data.type]).toEqual([200, true, "FeatureCollection"]);
  return body.data.features;
}

function sharingEvents(handle: string) {
  return sql.runText<{ type: string; chat_id: string | null; data: Record<string, unknown> }>({
    text: `select type, chat_id, data from events where account_id = $1 and type like 'location.sharing.%'
             and data->>'shared_by' = $2 order by seq`,
    values: [account.ref.id, handle],
  });
}

const typesOf = async (handle: string) =>
  (await sharingEvents(handle)).map(({ type }) => type.replace("location.sharing.", ""));

test("a contact who shares is found at the current position, and moves without events", async () => {
  const { phone, chatId } = await openChat();
  expect(await featuresOf(chatId)).toEqual([]);
  await shareNow(phone);
  const [feature] = await featuresOf(chatId);
  expect(feature).toEqual({
    type: "Feature",
    geometry: { type: "Point", coordinates: [13.4, 52.5] },
    properties: {
      handle: phone,
      address: HERE.address,
      locality: "Berlin",
      updated_at: expect.stringMatching(/Z$/),
    },
  });

  const position = { longitude: 13.5, latitude: 52.6, altitude: 34 };
  await call(`PATCH /simulator/phones/${phone}/location`, { to: chatId, position });

  const [moved] = await featuresOf(chatId);
  expect(moved.geometry.coordinates).toEqual([13.5, 52.6, 34]);
  expect(moved.properties).not.toHaveProperty("address");
  const [started, ...more] = await sharingEvents(phone);
  expect([started?.type, more.length]).toEqual(["location.sharing.started", 0]);
  expect(started?.data).toMatchObject({ shared_with: account.line, ends_at: null, chat_id: chatId });
});

test("a share that ends is reported once, and the contact's position is erased", async () => {
  const { phone, chatId } = await openChat();
  await shareNow(phone, { position: { ...HERE, address: "canary-lane 7" } });
  expect(await tablesWith("canary-lane")).toContain("location_shares");
  for (let twice = 0; twice < 2; twice++) {
    await call(`DELETE /simulator/phones/${phone}/location`, { to: account.line });
  }

  expect(await featuresOf(chatId)).toEqual([]);
  expect(await tablesWith("canary-lane")).not.toContain("location_shares");
  expect(await typesOf(phone)).toEqual(["started", "stopped"]);
  const { notes } = await listChatNotes(account.context(), { params: { chatId } });
  expect(notes.map(({ text }) => text)).toEqual([
    `${phone} started sharing a location`,
    `${phone} stopped sharing a location`,
  ]);
});

test("the timeline shows the last position of a share until it ends", async () => {
  const { phone, chatId } = await openChat();
  const started = async () =>
    (await listChatNotes(account.context(), { params: { chatId } })).notes.find(({ text }) =>
      text.endsWith("started sharing a location"),
    );
  await shareNow(phone);
  expect((await started())?.location).toEqual({
    latitude: 52.5,
    longitude: 13.4,
    place: HERE.address,
    at: expect.stringMatching(/Z$/),
  });
  await call(`PATCH /simulator/phones/${phone}/location`, {
    to: chatId,
    position: { longitude: 13.5, latitude: 52.6 },
  });
  expect((await started())?.location).toMatchObject({ latitude: 52.6, longitude: 13.5, place: null });
  await call(`DELETE /simulator/phones/${phone}/location`, { to: account.line });
  expect((await started())?.location).toBeNull();
});

test.each(["DELETE", "POST"])("the partner ends a share by %s, and the phone is notified", async (method) => {
  const { phone, chatId } = await openChat();
  await shareNow(phone);
  const path = method === "DELETE" ? "location" : "location/stop";
  const { status, body } = await call(`${method} /v3/chats/${chatId}/${path}`, { handle: phone });
  expect([status, body]).toEqual([200, { success: true, message: "Location sharing stopped" }]);

  worker = startActions();
  const [action] = await until(async () => {
    const actions = await listPhoneActions(account, phone);
    return actions.length > 0 && actions;
  });
  expect(action).toEqual({ do: "stop_location", handle: phone });
  const again = await call(`${method} /v3/chats/${chatId}/${path}`);
  expect([again.status, again.body.error.code]).toEqual([404, 2031]);
  expect(await typesOf(phone)).toEqual(["started", "stopped"]);
});

test("a share of an email address is not seen in the phone number's chat, but can be ended there", async () => {
  const { phone, chatId } = await openChat();
  const shared_by = `${phone.slice(1)}@example.com`;
  await shareNow(phone, { shared_by });
  expect(await featuresOf(chatId)).toEqual([]);
  expect((await sharingEvents(shared_by))[0]).toMatchObject({
    chat_id: null,
    data: { shared_by, chat_id: null },
  });
  expect((await call(`DELETE /v3/chats/${chatId}/location`)).body.error.code).toBe(2031);
  expect((await call(`DELETE /v3/chats/${chatId}/location`, { handle: shared_by })).status).toBe(200);
  expect(await typesOf(shared_by)).toEqual(["started", "stopped"]);
});

test("a share ends at its time", async () => {
  const { phone, chatId } = await openChat();
  await shareNow(phone, { ends_in_seconds: 3600 });
  await endDueShares(AbortSignal.timeout(5000));
  expect(await featuresOf(chatId)).toHaveLength(1);

  advanceClock(3601);
  expect(await featuresOf(chatId)).toEqual([]);
  await endDueShares(AbortSignal.timeout(5000));
  const [started, stopped] = await sharingEvents(phone);
  expect(Date.parse(`${stopped?.data.ended_at}`) - Date.parse(`${started?.data.began_at}`)).toBe(3_600_000);
});

test("repeats, late and crossing reports make one share of each", async () => {
  const { phone, chatId } = await openChat();
  const { id, lineType } = await lineOf();
  const line = { accountId: account.ref.id, id, phoneNumber: account.line, lineType };
  const at = new Date("2026-03-01T12:00:00Z");
  const place = (longitude: number) => ({ ...HERE, longitude, altitude: null });
  const started = {
    type: "location",
    from: phone,
    change: "started",
    at,
    endsAt: null,
    position: place(1),
  } as const;
  await Promise.all(Array.from({ length: 6 }, () => receiveLocation(line, started)));
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  for (const [longitude, seconds] of [[3, 20] as const, [2, 10] as const]) {
    const position = place(longitude);
    await receiveLocation(line, {
      type: "location",
      from: phone,
      change: "moved",
      at: later(seconds),
      position,
    });
  }
  expect((await featuresOf(chatId))[0].geometry.coordinates).toEqual([3, 52.5]);

  await receiveLocation(line, { type: "location", from: phone, change: "stopped", at: later(-5) });
  expect(await featuresOf(chatId)).toHaveLength(1);
  await receiveLocation(line, { type: "location", from: phone, change: "stopped", at: later(30) });
  await receiveLocation(line, started);
  expect(await typesOf(phone)).toEqual(["started", "stopped"]);
});

async function lineOf() {
  const [line] = await sql.runText<{ id: string; line_type: "iMessage" | "RCS" }>({
    text: "select id, line_type from lines where account_id = $1 and phone_number = $2",
    values: [account.ref.id, account.line],
  });
  if (line === undefined) throw new Error("no line");
  return { id: line.id, lineType: line.line_type };
}

test("a blocked contact's share is dropped", async () => {
  const { phone, chatId } = await openChat();
  await call("POST /v3/blocked_handles", { handle: phone });
  await share(phone);
  expect(await featuresOf(chatId)).toEqual([]);
  expect(await typesOf(phone)).toEqual([]);
});

test("a location is asked for on the contact's phone", async () => {
  const { phone, chatId } = await openChat();
  const { status, body } = await call(`POST /v3/chats/${chatId}/location/request`);
  expect([status, body]).toEqual([200, { success: true, message: "Location request sent" }]);
  worker = startActions();
  await until(async () =>
    (await listPhoneActions(account, phone)).some((action) => action.do === "request_location"),
  );
});

test("while the contact shares, asking again is 409/2015", async () => {
  const { phone, chatId } = await openChat();
  await share(phone);
  const { status, body, headers } = await call(`POST /v3/chats/${chatId}/location/request`);
  expect([status, body.error.code, headers.get("x-should-retry")]).toEqual([409, 2015, "false"]);
});

test("groups, other services, strangers and accounts without the feature are refused", async () => {
  const { chatId: group, first } = await createTestGroup(account, 2);
  const direct = await openChat();
  const sms = await createDirectChat(account, await createTestPhone(account, { platform: "sms_only" }));
  const moved = await openChat();
  await changeTestPhone(account, moved.phone, { platform: "sms_only" });
  const other = await createTestAccount({ type: "sandbox" });
  const foreign = await createDirectChat(other, await createTestPhone(other));
  const code = async (request: `${string} ${string}`, body?: unknown) => {
    const answer = await call(request, body);
    return [answer.status, answer.body.error.code];
  };
  expect(await code(`POST /v3/chats/${group}/location/request`)).toEqual([409, 2016]);
  expect(await code(`POST /v3/chats/${sms}/location/request`)).toEqual([409, 2017]);
  expect(await code(`POST /v3/chats/${moved.chatId}/location/request`)).toEqual([409, 2017]);
  expect(await code(`DELETE /v3/chats/${group}/location`)).toEqual([400, 1001]);
  expect(await code(`DELETE /v3/chats/${group}/location`, { handle: "12" })).toEqual([400, 1002]);
  expect(await code(`DELETE /v3/chats/${direct.chatId}/location`, { handle: first })).toEqual([404, 2031]);
  const absent = "019ca9c2-4c05-7f86-9e55-81c2d3e4f506";
  for (const [chatId, refused] of [
    [foreign, [403, 2005]],
    [absent, [404, 2001]],
  ]) {
    expect(await code(`GET /v3/chats/${chatId}/location`)).toEqual(refused);
    expect(await code(`POST /v3/chats/${chatId}/location/request`)).toEqual(refused);
    expect(await code(`DELETE /v3/chats/${chatId}/location`)).toEqual(refused);
  }

  await updateAccountOptions(account.context(), { body: { locations: false } });
  const answer = await call(`GET /v3/chats/${direct.chatId}/location`);
  expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
    403,
    2011,
    "Location features are not available for your account",
  ]);
  expect(await code(`POST /v3/chats/${direct.chatId}/location/request`)).toEqual([403, 2011]);
  expect(await code(`POST /v3/chats/${direct.chatId}/location/stop`)).toEqual([403, 2011]);
});

import { expect, test } from "vitest";
import {
  CHAT,
  chatThen,
  conform,
  LINE,
  MESSAGE,
  NAMED,
  OTHER,
  RUN_MS,
  serve,
  TOKEN,
  writesOf,
} from "@/scripts/cli/conform/fake-server";

test("nothing is removed that a response names and the run did not create", async () => {
  const card = { phone_number: OTHER, first_name: "Other", is_active: true };
  const paid = { id: MESSAGE, object: "payment_request" };
  const { url, asked } = await serve(({ method, path }) => {
    const [name = ""] = path.split("?");
    if (method === "GET" && name === "/v3/payment_requests") return [200, { data: [paid] }];
    if (method === "GET" && name === "/v3/chats") {
      return [200, { chats: [{ id: CHAT, handles: [{ handle: NAMED }, { handle: LINE }] }] }];
    }
    if (method === "GET" && name === `/v3/chats/${CHAT}/messages`)
      return [200, { messages: [{ id: MESSAGE }] }];
    if (method === "GET") return undefined;
    // A server that checks no token, and returns what it has in place of something new.
    if (name === "/v3/blocked_handles") return [200, { blocked_handle: { handle: OTHER } }];
    if (name === "/v3/contact_card") return [200, card];
    if (name === "/v3/payment_requests") return [201, paid];
    return name === "/v3/chats"
      ? [201, { chat: { id: CHAT, message: { id: MESSAGE }, handles: [{ handle: NAMED }] } }]
      : undefined;
  });
  const left: string[] = [];
  await conform({ baseUrl: url, to: NAMED, only: ["tokens", "operations"], left });
  const removals = writesOf(asked).filter(({ authorization }) => authorization === `Bearer ${TOKEN}`);
  expect(removals.filter(({ path }) => /payment_requests\/.*cancel$/.test(path))).toEqual([]);
  expect(removals.filter(({ method, path }) => method === "DELETE" && path.includes(MESSAGE))).toEqual([]);
  expect(removals.filter(({ path, body }) => `${decodeURIComponent(path)}${body}`.includes(OTHER))).toEqual(
    [],
  );
  expect(left).toEqual(
    expect.arrayContaining([
      `POST /v3/chats: ${MESSAGE} existed before the run`,
      "POST /v3/contact_card: the response has no usable ID",
      `POST /v3/payment_requests: ${MESSAGE} existed before the run`,
    ]),
  );
});

test("what could not be removed is named, also when its creation had no response", async () => {
  const { url } = await serve(({ method, path }) => {
    if (method === "POST" && path === "/v3/attachments") return [200, { attachment_id: MESSAGE }];
    if (method === "POST" && path === "/v3/webhook-subscriptions") return [201, {}];
    return method === "DELETE" && path.startsWith("/v3/attachments/") ? [500, ""] : undefined;
  });
  const left: string[] = [];
  await conform({ baseUrl: url, only: ["operations"], left });
  expect(left).toEqual([
    "POST /v3/webhook-subscriptions: the response has no usable ID",
    `DELETE /v3/attachments/${MESSAGE}: 500`,
  ]);
});

test(
  "nothing is written into a chat with others, nor to a subscription that existed before",
  async () => {
    const others = await serve(chatThen(() => [200, {}], OTHER));
    const checks = await conform({ baseUrl: others.url, to: NAMED });
    expect(writesOf(others.asked).filter(({ path }) => path.includes(CHAT))).toEqual([]);
    expect(checks.some(({ seen }) => seen.includes("people who were not named"))).toBe(true);

    const existing = { id: CHAT, target_url: "https://a.example", signing_secret: "whsec_1234567890" };
    const { url, asked } = await serve(({ method, path }) => {
      if (path.split("?")[0] !== "/v3/webhook-subscriptions") return undefined;
      return method === "GET" ? [200, { subscriptions: [existing] }] : [201, existing];
    });
    const left: string[] = [];
    await conform({ baseUrl: url, only: ["operations", "webhooks"], listen: "127.0.0.1:0", left });
    expect(
      asked.filter(({ method, path }) => method === "POST" && path.endsWith("-subscriptions")),
    ).not.toEqual([]);
    expect(writesOf(asked).filter(({ path }) => path.includes(CHAT))).toEqual([]);
    expect(left).toEqual([`POST /v3/webhook-subscriptions: ${CHAT} existed before the run`]);
  },
  RUN_MS,
);

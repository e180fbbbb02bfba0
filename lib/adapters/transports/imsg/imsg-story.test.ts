import "@/lib/testing/use-test-database";

import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLineSessions } from "@/lib/lines/connections/keep-sessions";
import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { startLinePolls } from "@/lib/lines/connections/poll-lines";
import { startActions } from "@/lib/messaging/actions/perform-actions";
import { startDispatch } from "@/lib/messaging/dispatch/dispatch-messages";
import { startFileFetches } from "@/lib/messaging/inbound/fetch-files";
import { sql } from "@/lib/platform/database/db";
import { reloadEnv } from "@/lib/platform/env";
import { waitingSink } from "@/lib/runtime/wiring/inbound-sink";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { sampleImage } from "@/lib/testing/samples/file-samples";
import { until } from "@/lib/testing/until";
import { startFakeMac } from "@/lib/testing/vendors/fake-mac";

const PERSON = "+15550106100";
const OTHER = "+15550106101";

let account: TestAccount;
let mac: Awaited<ReturnType<typeof startFakeMac>>;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  mac = await startFakeMac();
  process.env.IMSG_COMMAND = mac.command;
  reloadEnv();
  account = await createTestAccount({ type: "production" });
  const [line] = await sql.runText<{ id: string }>({
    text: "update lines set transport = 'imsg' where account_id = $1 returning id",
    values: [account.ref.id],
  });
  await setLineConnection({ accountId: account.ref.id, id: line?.id ?? "" }, { throughput: "100" });
  running.push(startLineSessions(waitingSink), startDispatch(), startActions(), startLinePolls(waitingSink));
});
afterAll(async () => {
  for (const part of running.reverse()) await part.stop();
  await mac.close();
  delete process.env.IMSG_COMMAND;
  reloadEnv();
});

const get = async (route: string) => (await callApi(`GET ${route}`, { token: account.token })).body;
const identifierOf = (guid = "") => guid.split(";").at(-1) ?? "";
const statusOf = async (id: string) => (await get(`/v3/messages/${id}`)).delivery_status;

test("a message is delivered and read, a reply with a photo and a reaction comes in, and a failure is reported", async () => {
  const { chatId, messageId } = await account.sendFirst(PERSON);
  await until(async () => (await statusOf(messageId)) === "delivered");
  mac.readAll(PERSON);
  await until(async () => (await statusOf(messageId)) === "read");
  expect(mac.sent).toMatchObject([{ guid: messageId, to: PERSON, text: "hello" }]);

  const photo = path.join(mac.directory, "photo.jpg");
  const bytes = await sampleImage("jpeg");
  writeFileSync(photo, bytes);
  mac.write(PERSON, "Like this?", {
    attachments: [
      {
        original_path: photo,
        total_bytes: bytes.length,
        transfer_name: "photo.jpg",
        mime_type: "image/jpeg",
      },
    ],
  });
  const reply = await until(async () => {
    const { messages } = await get(`/v3/chats/${chatId}/messages`);
    return messages.find(({ is_from_me }: { is_from_me: boolean }) => !is_from_me);
  });
  expect(reply.parts).toMatchObject([
    { type: "text", value: "Like this?" },
    { type: "media", mime_type: "image/jpeg", size_bytes: bytes.length },
  ]);
  const reaction = { is_reaction: true as const, reaction_type: "love", is_reaction_add: true };
  mac.write(PERSON, "", { ...reaction, reacted_to_guid: messageId });
  await until(async () => (await get(`/v3/messages/${messageId}`)).parts[0].reactions?.length === 1);

  const { messageId: failed } = await account.sendFirst(OTHER);
  mac.fail(OTHER);
  await until(async () => ["failed"].includes(await statusOf(failed)) || mac.fail(OTHER));
});

test("a group is created by its first message, and its answers are in the same chat", async () => {
  const { body } = await callApi("POST /v3/chats", {
    token: account.token,
    body: {
      from: account.line,
      to: ["+15550106102", "+15550106103"],
      message: { parts: [{ type: "text", value: "hello group" }] },
    },
  });
  await until(async () => (await statusOf(body.chat.message.id)) === "sent");
  const created = mac.sent.at(-1);
  expect(created?.text).toBe("hello group");
  const participants = ["+15550106102", "+15550106103"];
  mac.write("+15550106102", "hi", {}, { group: { identifier: identifierOf(created?.to), participants } });
  await until(async () => {
    const { messages } = await get(`/v3/chats/${body.chat.id}/messages`);
    return messages.some(({ is_from_me }: { is_from_me: boolean }) => !is_from_me);
  });
});

test("messages that arrive while imsg is restarting are in the chat once it runs", async () => {
  const { chatId } = await account.sendFirst("+15550106104");
  await until(() => mac.sent.some(({ to }) => to === "+15550106104"));
  mac.crash();
  mac.write("+15550106104", "missed");
  await until(async () => {
    const { messages } = await get(`/v3/chats/${chatId}/messages`);
    return messages.filter(({ is_from_me }: { is_from_me: boolean }) => !is_from_me).length === 1;
  });
});

test("rows of every kind are stored, although imsg and the sessions of the lines end in between", async () => {
  const people = Array.from({ length: 4 }, (_, index) => `+1555012610${index}`);
  const participants = people.slice(0, 2);
  const group = { identifier: "chat900", participants };
  const late = path.join(mac.directory, "late.jpg");
  const there = path.join(mac.directory, "there.jpg");
  const bytes = await sampleImage("jpeg");
  writeFileSync(there, bytes);
  const jpeg = { transfer_name: "photo.jpg", mime_type: "image/jpeg", total_bytes: bytes.length };
  const options = [
    { id: "O1", text: "Friday" },
    { id: "O2", text: "Saturday" },
  ];
  const rows: [string, Parameters<typeof mac.write>[2]?, Parameters<typeof mac.write>[3]?][] = [
    ["a text"],
    ["Hi\u0000there"],
    ["a reply", { thread_originator_guid: "GONE", thread_originator_part: "0:0:5", reply_to_guid: "GONE" }],
    ["over SMS", {}, { service: "SMS" }],
    ["over RCS", {}, { service: "RCS" }],
    ["\ufffcwith a photo", { attachments: [{ ...jpeg, original_path: there }] }],
    ["\ufffcwith a late one", { attachments: [{ ...jpeg, original_path: late, missing: true }] }],
    ["a folder\ufffc", { attachments: [{ ...jpeg, original_path: mac.directory }] }],
    ["to all", {}, { group }],
    ["https://example.com/a", { balloon_bundle_id: "com.apple.messages.URLBalloonProvider" }],
    ["", { balloon_bundle_id: "com.apple.DigitalTouchBalloonProvider" }],
    ["", { poll: { kind: "created", event: "imessage.poll.created", options } }],
    ["x".repeat(20_000)],
  ];
  const sent: string[] = [];
  for (const [index, [value, fields, chat]] of rows.entries()) {
    if (index % 5 === 4) mac.crash();
    if (index === 7) {
      for (const part of running.splice(0)) await part.stop();
    }
    for (const person of people) {
      // The service is that of the chat, so each service has people of its own.
      const from =
        chat?.service === undefined ? person : person.replace("012", chat.service === "SMS" ? "014" : "015");
      sent.push(mac.write(from, value, fields, chat));
    }
    if (index === 9) {
      running.push(
        startLineSessions(waitingSink),
        startDispatch(),
        startActions(),
        startLinePolls(waitingSink),
      );
    }
  }
  const stored = () =>
    sql.runText<{
      ref: string;
      id: string;
      service: string;
      kind: string;
      parts: { type: string; value?: string }[];
    }>({
      text: `select r.ref, m.id, m.service::text, m.kind, m.parts from transport_refs r
             join messages m on m.account_id = r.account_id and m.id = r.message_id
             where r.account_id = $1 and r.ref = any($2::text[])`,
      values: [account.ref.id, sent],
    });
  await until(async () => (await stored()).length === sent.length);

  const byRow = new Map((await stored()).map((row) => [row.ref, row]));
  const of = (index: number) => byRow.get(sent[index * people.length] ?? "");
  expect(of(1)?.parts).toMatchObject([{ value: "Hithere" }]);
  expect([of(3)?.service, of(4)?.service]).toEqual(["SMS", "RCS"]);
  expect(of(5)?.parts).toMatchObject([{ type: "media" }, { value: "with a photo" }]);
  expect(of(9)?.parts).toMatchObject([{ type: "link" }]);
  expect(of(10)?.parts).toMatchObject([{ value: "[Digital Touch message]" }]);
  expect(of(11)?.kind).toBe("poll");

  // The files of the messages that came without them.
  const message = async () => get(`/v3/messages/${of(6)?.id}`);
  expect((await message()).parts).toMatchObject([{ type: "media", url: null }, { value: "with a late one" }]);
  writeFileSync(late, bytes);
  await sql.runText({
    text: "update awaited_files set due_at = 'epoch' where account_id = $1",
    values: [account.ref.id],
  });
  running.push(startFileFetches());
  await until(async () => typeof (await message()).parts[0].url === "string");
});

test("a poll of the line gets the votes of a person, and our vote in theirs goes out", async () => {
  const person = "+15550106130";
  const { chatId } = await account.sendFirst(person);
  const own = await callApi(`POST /v3/chats/${chatId}/polls`, {
    token: account.token,
    body: { poll: { options: [{ text: "Friday" }, { text: "Saturday" }] } },
  });
  await until(
    async () => (await statusOf(own.body.message_id)) !== "pending" && mac.sent.at(-1)?.text === "",
  );
  const guid = mac.sent.at(-1)?.guid ?? "";
  const vote = (optionIds: string[]) =>
    mac.write(person, "", {
      poll: {
        kind: "vote",
        event: "imessage.poll.voted",
        poll_guid: guid,
        votes: optionIds.map((option_id) => ({ option_id, participant: person })),
      },
    });
  const votersOf = async () =>
    (await get(`/v3/messages/${own.body.message_id}/poll`)).poll.options.map(
      ({ voters }: { voters: unknown[] }) => voters.length,
    );
  const [first = "", second = ""] = mac.optionsOf(guid);
  vote([first, second]);
  await until(async () => `${await votersOf()}` === "1,1");
  vote([second]);
  await until(async () => `${await votersOf()}` === "0,1");

  const theirs = mac.write(person, "", {
    poll: {
      kind: "created",
      event: "imessage.poll.created",
      options: [
        { id: "T1", text: "Yes" },
        { id: "T2", text: "No" },
      ],
    },
  });
  const received = await until(async () => {
    const { messages } = await get(`/v3/chats/${chatId}/messages`);
    return messages.find(
      ({ is_from_me, parts }: { is_from_me: boolean; parts: unknown[] }) => !is_from_me && parts.length === 0,
    );
  });
  const { poll } = await get(`/v3/messages/${received.id}/poll`);
  await callApi(`POST /v3/messages/${received.id}/poll/votes`, {
    token: account.token,
    body: { operation: "add", option_id: poll.options[1].option_id },
  });
  const call = await until(() => mac.calls.find(({ method }) => method === "poll.vote"));
  expect(call.params).toMatchObject({ poll_guid: theirs, option_index: 2 });
});

test("a line that is down shows why", async () => {
  mac.knobs.database = false;
  mac.crash();
  const reasonOf = async () => {
    const [line] = await sql.runText<{ down_reason: string | null }>({
      text: "select down_reason from lines where account_id = $1",
      values: [account.ref.id],
    });
    return line?.down_reason ?? "";
  };
  await until(async () => (await reasonOf()).includes("Full Disk Access"));
  mac.knobs.database = true;
  mac.crash();
  await until(async () => (await reasonOf()) === "");
});

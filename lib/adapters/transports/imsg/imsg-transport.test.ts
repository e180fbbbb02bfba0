import "@/lib/testing/use-test-database";

import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { provideConnections } from "@/lib/adapters/transports/callback";
import { describeTransport } from "@/lib/adapters/transports/conformance";
import { openImsgSession } from "@/lib/adapters/transports/imsg/imsg-session";
import { imsgTransport } from "@/lib/adapters/transports/imsg/imsg-transport";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Outbound, OutMedia, OutPart } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { Running } from "@/lib/adapters/transports/transport";
import { reloadEnv } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { until } from "@/lib/testing/until";
import { startFakeMac } from "@/lib/testing/vendors/fake-mac";

const PERSON = "+15550106000";
const line: LineRef = {
  accountId: newId(1),
  id: newId(1),
  phoneNumber: "+12025550100",
  lineType: "iMessage",
};
const text = (value: string): OutPart => ({
  type: "text",
  value,
  decorations: [],
  mentions: [],
  stickers: [],
});

let mac: Awaited<ReturnType<typeof startFakeMac>>;
let reported: InEvent[] = [];
const sessions: Running[] = [];

const SINK: Sink = {
  async receive(_, events) {
    reported.push(...events);
  },
};

const ups = () => reported.flatMap((event) => (event.type === "line" ? event.up : []));
const reasons = () => reported.flatMap((event) => (event.type === "line" ? event.reason : []));
const texts = () =>
  reported.flatMap((event) =>
    event.type === "message"
      ? event.parts.map((part) => (part.type === "text" ? part.value : part.type))
      : [],
  );
const send = (message: Outbound, timeoutMs = 5000) =>
  imsgTransport.send(message, AbortSignal.timeout(timeoutMs));
const callsOf = (method: string) =>
  mac.calls.filter((call) => call.method === method).map(({ params }) => params);

function message(parts: OutPart[], more: Partial<Outbound> = {}): Outbound {
  const id = newId(Date.now());
  return {
    id,
    line,
    service: "iMessage",
    to: [PERSON],
    group: null,
    parts,
    effect: null,
    replyTo: null,
    ...more,
  };
}

beforeAll(() => provideConnections(async () => ({})));

async function start(sink: Sink = SINK, connection: Record<string, string> = {}): Promise<void> {
  mac = await startFakeMac();
  process.env.IMSG_COMMAND = mac.command;
  reloadEnv();
  sessions.push(openImsgSession(line, connection, sink));
}

async function stop(): Promise<void> {
  await Promise.all(sessions.splice(0).map((session) => session.stop()));
  await mac.close();
  reported = [];
}

describe("conformance", () => {
  let listener: Sink | null = null;
  let isUp = false;
  let handles = 0;
  beforeAll(async () => {
    await start({
      async receive(to, events) {
        for (const event of events) if (event.type === "line") isUp = event.up;
        const others = events.filter(({ type }) => type !== "line" && type !== "sent");
        if (others.length === 0) return;
        if (listener === null) throw new Error("there is no listener");
        await listener.receive(to, others);
      },
    });
    await until(() => isUp);
  });
  afterAll(stop);

  describeTransport(() => ({
    transport: {
      ...imsgTransport,
      // Phones show texts, not IDs.
      send: (outbound, signal) => imsgTransport.send({ ...outbound, parts: [text(outbound.id)] }, signal),
    },
    line,
    async recipient(behavior) {
      const handle = `+1555013${1000 + ++handles}`;
      mac.behave(handle, behavior);
      // A blocked process is replaced by another one.
      await until(async () => {
        const probe = mac.processes;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return isUp && probe === mac.processes;
      });
      return handle;
    },
    arrived: async (handle) => mac.sent.flatMap((each) => (each.to === handle ? each.text : [])),
    read: async (handle) => mac.readAll(handle),
    newMessageId: () => newId(Date.now()),
    listen(sink) {
      listener = sink;
      return {
        async stop() {
          listener = null;
        },
      };
    },
    polls: {
      connection: {},
      async happen(count) {
        for (let times = 0; times < count; times++) mac.write(PERSON, `message ${times}`);
      },
    },
  }));
});

describe("a line", () => {
  afterEach(stop);

  async function startAndWait(connection: Record<string, string> = {}): Promise<void> {
    await start(SINK, connection);
    await until(() => ups().at(-1) === true);
  }

  function file(filename: string, content: string): OutMedia {
    return {
      type: "media",
      attachmentId: newId(1),
      filename,
      mimeType: "text/plain",
      sizeBytes: content.length,
      sticker: false,
      async open() {
        return (async function* () {
          yield Buffer.from(content);
        })();
      },
    };
  }

  test("with the bridge, a message has its own ID, an effect and a reply", async () => {
    await startAndWait();
    const plain = message([text("hello"), text("again")]);
    const { refs } = await send(plain);
    expect(refs[0]).toBe(plain.id);
    // The bridge writes to chats that exist only.
    expect(callsOf("chats.create")).toEqual([{ addresses: [PERSON] }]);
    expect(callsOf("send.tracked")).toMatchObject([
      { to: PERSON, text: "hello" },
      { chat_guid: `any;-;${PERSON}`, text: "hello" },
      { to: PERSON, text: "again" },
    ]);
    const effect = { type: "bubble" as const, name: "slam" };
    await send(message([text("bang")], { effect, replyTo: { ref: plain.id, part: 0 } }));
    expect(callsOf("send.rich")).toMatchObject([
      {
        chat_identifier: PERSON,
        text: "bang",
        effect_id: "com.apple.MobileSMS.expressivesend.impact",
        reply_to: plain.id,
      },
    ]);
  });

  test("without the bridge, texts and files go out, and what needs the bridge is unsupported", async () => {
    mac = await startFakeMac();
    mac.knobs.bridge = false;
    process.env.IMSG_COMMAND = mac.command;
    reloadEnv();
    sessions.push(openImsgSession(line, {}, SINK));
    await until(() => ups().at(-1) === true);
    await send(message([text("hello"), file("it's.txt", "a file")]));
    expect(mac.sent.map(({ text: value, file: bytes }) => bytes?.toString() ?? value)).toEqual([
      "hello",
      "a file",
    ]);
    expect(callsOf("send")).toMatchObject([{ service: "imessage", allow_sms_fallback: false }, {}]);
    expect(await imsgTransport.probe(line, PERSON, "iMessage")).toBe("yes");
    const target = { line, service: "iMessage" as const, to: [PERSON], group: null };
    const reaction = { type: "love" as const };
    const action = { type: "react" as const, reactionId: "1", reaction, isRemoved: false, ref: "A", part: 0 };
    await expect(
      imsgTransport.act({ id: newId(1), target, action }, AbortSignal.timeout(1000)),
    ).rejects.toMatchObject({ kind: "unsupported" });
    await imsgTransport.act({ id: newId(1), target, action: { type: "read" } }, AbortSignal.timeout(1000));
    expect(callsOf("read")).toEqual([{ to: PERSON }]);
  });

  test("actions of chats and groups are calls of the bridge", async () => {
    await startAndWait();
    const { groupRef } = await send(
      message([text("hello")], { to: [PERSON, "+15550106001"], group: { chatId: newId(1), ref: null } }),
    );
    const direct = { line, service: "iMessage" as const, to: [PERSON], group: null };
    const group = { ...direct, group: { chatId: newId(1), ref: groupRef } };
    const signal = AbortSignal.timeout(5000);
    const act = (
      target: typeof direct | typeof group,
      action: Parameters<typeof imsgTransport.act>[0]["action"],
    ) => imsgTransport.act({ id: newId(1), target, action }, signal);
    await act(direct, { type: "typing", isOn: true });
    await act(direct, { type: "edit", ref: "A", part: 0, text: "better" });
    await act(direct, { type: "unsend", refs: ["A", "B"], parts: 2 });
    await act(direct, { type: "unsend", refs: ["C"], parts: 2 });
    await act(direct, {
      type: "react",
      reactionId: "1",
      reaction: { type: "emphasize" },
      isRemoved: true,
      ref: "A",
      part: 1,
    });
    await act(group, { type: "set_name", name: "Team" });
    await act(group, { type: "add_participant", handle: "+15550106002" });
    await act(group, { type: "leave" });
    expect(callsOf("typing")).toEqual([{ to: PERSON, typing: true }]);
    expect(callsOf("message.edit")).toEqual([{ chat_identifier: PERSON, message_guid: "A", text: "better" }]);
    expect(callsOf("message.unsend")).toEqual([
      { chat_identifier: PERSON, message_guid: "A" },
      { chat_identifier: PERSON, message_guid: "B" },
      { chat_identifier: PERSON, message_guid: "C" },
      { chat_identifier: PERSON, message_guid: "C", part_index: 1 },
    ]);
    expect(callsOf("tapback")).toMatchObject([{ kind: "emphasize", remove: true, part_index: 1 }]);
    expect(callsOf("group.rename")).toEqual([{ chat_guid: groupRef, name: "Team" }]);
    expect(callsOf("group.addParticipant")).toHaveLength(1);
    expect(callsOf("group.leave")).toHaveLength(1);
  });

  test("live messages arrive with their files, reactions and typing", async () => {
    await startAndWait();
    const photo = path.join(mac.directory, "photo.jpg");
    writeFileSync(photo, "bytes of a photo");
    mac.write(PERSON, "look \ufffc", {
      attachments: [
        { original_path: photo, total_bytes: 16, transfer_name: "photo.jpg", mime_type: "image/jpeg" },
        { original_path: `${photo}.later`, total_bytes: 3, missing: true, transfer_name: "late.jpg" },
      ],
    });
    mac.write("Someone@Example.com", "", {
      is_reaction: true,
      reaction_type: "emphasis",
      is_reaction_add: true,
      reacted_to_guid: "p:1/ABC",
    });
    await until(() => reported.some(({ type }) => type === "reaction"));
    mac.typing(`iMessage;-;${PERSON}`, "started-typing");
    await until(() => reported.some(({ type }) => type === "typing"));
    expect(texts()).toEqual(["look", "media", "media"]);
    expect(reported.filter(({ type }) => type !== "line")).toMatchObject([
      { type: "message", from: PERSON, groupRef: null, service: "iMessage", isLive: true },
      {
        type: "reaction",
        ref: "ABC",
        part: 1,
        from: "someone@example.com",
        reaction: { type: "emphasize" },
        isRemoved: false,
      },
      { type: "typing", from: PERSON, isOn: true },
    ]);
    const [received] = reported.filter((event) => event.type === "message");
    const media = received?.parts.find((part) => part.type === "media");
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await media?.open()) ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("bytes of a photo");
  });

  test("a message in a group names its chat and the other members", async () => {
    await startAndWait();
    const participants = [PERSON, "+15550106009"];
    mac.write(PERSON, "hi all", {}, { group: { identifier: "chat9", participants } });
    await until(() => texts().length === 1);
    expect(reported.at(-1)).toMatchObject({ groupRef: "any;+;chat9", others: ["+15550106009"] });
  });

  test("messages that arrived while imsg was down are found by the poll, and a repeat has the same ref", async () => {
    await startAndWait();
    mac.knobs.cutLines = true;
    const guid = mac.write(PERSON, "live");
    await until(() => texts().length === 1);
    mac.repeat(guid);
    await until(() => texts().length === 2);
    mac.crash();
    mac.write(PERSON, "missed");
    await until(() => ups().length > 2 && ups().at(-1) === true);
    const page = await imsgTransport.poll?.read(line, {}, null, AbortSignal.timeout(5000));
    const refs = page?.events.flatMap((event) => (event.type === "message" ? event.ref : []));
    expect(refs).toHaveLength(2);
    expect(refs?.[0]).toBe(guid);
    expect(page).toMatchObject({ cursor: expect.stringMatching(/^2 /), more: false });
  });

  test("after an overflow the line watches again, from where the watch ended", async () => {
    await startAndWait();
    mac.write(PERSON, "before");
    await until(() => texts().length === 1);
    mac.overflow(1);
    mac.write(PERSON, "meanwhile");
    await until(() => callsOf("watch.subscribe").length === 2);
    expect(callsOf("watch.subscribe")[1]).toMatchObject({ since_rowid: 1 });
    mac.write(PERSON, "after");
    await until(() => texts().length === 3);
    expect(texts()).toEqual(["before", "meanwhile", "after"]);
  });

  test("after an error of the watch the line watches again, and misses nothing", async () => {
    await startAndWait();
    mac.write(PERSON, "before");
    await until(() => texts().length === 1);
    for (const value of ["first", "second"]) {
      mac.breakWatch();
      mac.write(PERSON, value);
      await until(() => texts().includes(value));
    }
    expect(texts()).toEqual(["before", "first", "second"]);
  });

  test.each(["overflow", "error"] as const)(
    "after an %s of the bridge's events, typing still arrives",
    async (how) => {
      await startAndWait();
      mac.breakEvents(how);
      await until(() => callsOf("bridge.events.subscribe").length === 2);
      await until(() => {
        mac.typing(`any;-;${PERSON}`, "started-typing");
        return reported.some(({ type }) => type === "typing");
      });
    },
  );

  test("a line that is down says why, and an internal error holds a message", async () => {
    await start();
    await until(() => ups().at(-1) === true);
    mac.knobs.failing = "send.tracked";
    mac.write(PERSON, "hi");
    await until(() => texts().length === 1);
    await expect(send(message([text("hello")]))).rejects.toMatchObject({
      kind: "line_down",
      message: expect.stringContaining("the operation couldn't be completed"),
    });
    await send(message([text("hello")]));
    mac.knobs.database = false;
    mac.crash();
    await until(() => reasons().some((reason) => reason?.includes("Full Disk Access")));
    expect(reasons()).toContain("imsg ended with exit code 0.");
  });

  test("a message to someone new is tracked, and what was sent already is not sent again", async () => {
    await startAndWait();
    const once = message([text("hello")]);
    await send(once);
    await Promise.all(sessions.splice(0).map((session) => session.stop()));
    // Another process does not know what this one has sent.
    sessions.push(openImsgSession(line, {}, SINK));
    await until(() => ups().at(-1) === true);
    expect((await send(once)).refs).toEqual([once.id]);
    expect(mac.sent).toHaveLength(1);
  });

  test("polls, votes, stickers, links and files with an effect are calls of the bridge", async () => {
    await startAndWait();
    const options = [
      { id: "1", text: "Friday" },
      { id: "2", text: "Saturday" },
    ];
    const { refs } = await send(message([{ type: "poll", options }]));
    expect(callsOf("poll.send").at(-1)).toMatchObject({
      options: ["Friday", "Saturday"],
      suppress_comment: true,
    });
    const target = { line, service: "iMessage" as const, to: [PERSON], group: null };
    const [ref = ""] = refs;
    const vote = { type: "vote" as const, ref, optionId: "2", position: 1 };
    const signal = AbortSignal.timeout(20_000);
    await imsgTransport.act({ id: newId(1), target, action: { ...vote, isRemoved: false } }, signal);
    await imsgTransport.act({ id: newId(1), target, action: { ...vote, isRemoved: true } }, signal);
    expect(callsOf("poll.vote")).toEqual([{ chat_identifier: PERSON, poll_guid: ref, option_index: 2 }]);
    expect(callsOf("poll.unvote")).toHaveLength(1);
    // A person votes for an option of this poll, which has an ID of Messages.
    const [, second = ""] = mac.optionsOf(ref);
    const voted = { kind: "vote" as const, event: "imessage.poll.voted", poll_guid: ref };
    mac.write(PERSON, "", { poll: { ...voted, votes: [{ option_id: second, participant: PERSON }] } });
    const arrived = await until(() => reported.find((event) => event.type === "votes"));
    expect(arrived).toMatchObject({ ref, options: [{ ref: second, position: 1 }] });

    await send(message([{ ...file("s.png", "png"), sticker: true }]));
    expect(callsOf("send.sticker")).toHaveLength(1);
    const image = { ...file("s.png", "png"), sticker: true };
    const placement = { x: 0, y: 0, scale: 1, rotation: 0 };
    const reaction = { type: "sticker" as const, image, emoji: null, placement };
    const react = { type: "react" as const, reactionId: "1", reaction, isRemoved: false, ref, part: 0 };
    await imsgTransport.act({ id: newId(1), target, action: react }, signal);
    expect(callsOf("send.sticker").at(-1)).toMatchObject({ attach_to: ref, part_index: 0 });
    await send(message([{ type: "link", url: "https://example.com/a" }]));
    expect(callsOf("send.rich").at(-1)).toEqual({ chat_identifier: PERSON, url: "https://example.com/a" });
    const effect = { type: "screen" as const, name: "confetti" };
    await send(message([file("a.txt", "a file")], { effect }));
    expect(callsOf("send.rich").at(-1)).toMatchObject({
      effect_id: "com.apple.messages.effect.CKConfettiEffect",
    });
    const together = await send(message([text("one"), text("two")], { effect }));
    expect(together.refs).toHaveLength(1);
    expect(callsOf("send.multipart").at(-1)).toMatchObject({ parts: [{ text: "one" }, { text: "two" }] });
  });

  test("a first message that needs a chat creates it, and what Messages refuses as a card is a text", async () => {
    await startAndWait();
    const to = ["+15550106077"];
    await send(message([text("bang")], { to, effect: { type: "bubble", name: "slam" } }));
    expect(callsOf("send.rich").at(-1)).toMatchObject({ chat_guid: "any;-;+15550106077" });
    mac.write(PERSON, "over SMS", {}, { service: "SMS" });
    await send(message([{ type: "link", url: "https://example.com/b" }]));
    expect(mac.sent.at(-1)).toMatchObject({
      text: "https://example.com/b",
      params: { method: "send.tracked" },
    });
  });

  test("answers a person over the service that the person wrote over", async () => {
    await startAndWait();
    const [sms, rcs, other] = ["+15550106081", "+15550106082", "+15550106083"];
    mac.write(sms, "hi", {}, { service: "SMS" });
    mac.write(rcs, "hi", {}, { service: "RCS" });
    await until(() => texts().length === 2);
    const probe = (to: string, service: "iMessage" | "RCS" | "SMS") => imsgTransport.probe(line, to, service);
    expect([await probe(sms, "iMessage"), await probe(sms, "RCS"), await probe(other, "iMessage")]).toEqual([
      "no",
      "no",
      "yes",
    ]);
    expect([await probe(rcs, "iMessage"), await probe(rcs, "RCS")]).toEqual(["no", "yes"]);
    await send(message([text("hello")], { to: [sms], service: "SMS" }));
    await send(message([text("hello")], { to: [rcs], service: "RCS" }));
    expect(callsOf("send")).toEqual([
      { to: sms, text: "hello", service: "sms", allow_sms_fallback: false },
      { chat_guid: `any;-;${rcs}`, text: "hello" },
    ]);
  });

  test("a database that is unavailable takes the line down", async () => {
    mac = await startFakeMac();
    mac.knobs.database = false;
    process.env.IMSG_COMMAND = mac.command;
    reloadEnv();
    sessions.push(openImsgSession(line, {}, SINK));
    await until(() => ups().at(-1) === false);
  });

  test("a program that does not exist takes the line down, and so does one that ends at once", async () => {
    mac = await startFakeMac();
    process.env.IMSG_COMMAND = "/nonexistent/imsg";
    reloadEnv();
    sessions.push(openImsgSession(line, {}, SINK));
    await until(() => ups().at(-1) === false);
    await expect(send(message([text("hello")]))).rejects.toMatchObject({ kind: "line_down" });
  });

  test("a message that Messages could not send fails, by its receipt", async () => {
    await startAndWait();
    const { refs } = await send(message([text("hello")]));
    mac.fail(PERSON);
    const failed = await until(() => reported.find((event) => event.type === "failed"));
    expect(failed).toMatchObject({ ref: refs[0], error: { kind: "undeliverable" } });
  });

  test("over SSH, the same commands and files go through the remote shell", async () => {
    mac = await startFakeMac();
    // Like ssh, the stand-in gives its words to a shell as one line.
    const ssh = path.join(mac.directory, "ssh");
    writeFileSync(ssh, '#!/bin/sh\nwhile [ "$1" != me@mac ]; do shift; done\nshift\nexec /bin/sh -c "$*"\n');
    chmodSync(ssh, 0o755);
    const before = process.env.PATH;
    process.env.PATH = `${mac.directory}:${before}`;
    process.env.IMSG_COMMAND = mac.command;
    reloadEnv();
    try {
      sessions.push(openImsgSession(line, { ssh_host: "me@mac" }, SINK));
      await until(() => ups().at(-1) === true);
      await send(message([file("notes.txt", "over ssh")]));
      expect(mac.sent[0]?.file?.toString()).toBe("over ssh");
      const name = path.join(mac.directory, "it's a photo.jpg");
      writeFileSync(name, "remote bytes");
      mac.write(PERSON, "", { attachments: [{ original_path: name, transfer_name: "photo.jpg" }] });
      const received = await until(() => reported.find((event) => event.type === "message"));
      const media = received.parts.find((part) => part.type === "media");
      const chunks: Uint8Array[] = [];
      for await (const chunk of (await media?.open()) ?? []) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString()).toBe("remote bytes");
    } finally {
      process.env.PATH = before;
    }
  });
});

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { provideConnections } from "@/lib/adapters/transports/callback";
import { createEchoes } from "@/lib/adapters/transports/imsg/imsg-echoes";
import { ImsgMessage } from "@/lib/adapters/transports/imsg/imsg-payloads";
import { openImsgSession } from "@/lib/adapters/transports/imsg/imsg-session";
import { imsgTransport } from "@/lib/adapters/transports/imsg/imsg-transport";
import type { InEvent, InMedia } from "@/lib/adapters/transports/inbound";
import type { OutPart } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Running } from "@/lib/adapters/transports/transport";
import { reloadEnv } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { until } from "@/lib/testing/until";
import { startFakeMac } from "@/lib/testing/vendors/fake-mac";
import type { MacPoll, RowFields } from "@/lib/testing/vendors/fake-mac-payloads";
import type { ChatOf } from "@/lib/testing/vendors/fake-mac-store";

const PERSON = "+15550106400";
const OTHER = "+15550106401";
const LINE: LineRef = {
  accountId: newId(1),
  id: newId(1),
  phoneNumber: "+12025550100",
  lineType: "iMessage",
};
const CAF = {
  transfer_name: "Audio Message.caf",
  uti: "com.apple.coreaudio-format",
  mime_type: "audio/x-caf",
};
const PREVIEW = {
  transfer_name: "A1.pluginPayloadAttachment",
  original_path: "/tmp/A1.pluginPayloadAttachment",
};
const URL_BALLOON = "com.apple.messages.URLBalloonProvider";
const URL_PREVIEW = {
  id: 1,
  guid: "P",
  balloon_bundle_id: URL_BALLOON,
  created_at: "2026-03-01T12:00:00.000Z",
};
const OPTIONS = [
  { id: "O1", text: "Pizza" },
  { id: "O2", text: "Sushi" },
];

let mac: Awaited<ReturnType<typeof startFakeMac>>;
let session: Running;
let reported: InEvent[] = [];

beforeAll(async () => {
  provideConnections(async () => ({}));
  mac = await startFakeMac();
  process.env.IMSG_COMMAND = mac.command;
  reloadEnv();
  session = openImsgSession(
    LINE,
    {},
    {
      async receive(_, events) {
        reported.push(...events);
      },
    },
  );
  await until(() => reported.some((event) => event.type === "line" && event.up));
});
beforeEach(() => {
  reported = [];
});
afterAll(async () => {
  await session.stop();
  await mac.close();
});

/** The events of the rows written so far. The line reports them in their order. */
async function read(): Promise<Record<string, unknown>[]> {
  const end = mac.write("+15550106499", "the end");
  await until(() => reported.some((event) => event.type === "message" && event.ref === end));
  return reported
    .filter((event) => event.type !== "line" && !("ref" in event && event.ref === end))
    .map((event) => (event.type === "message" ? { ...event, parts: event.parts.map(short) } : { ...event }));
}

function short(part: Extract<InEvent, { type: "message" }>["parts"][number]): unknown {
  switch (part.type) {
    case "text":
      return part.value;
    case "media":
      return `${part.filename}${part.voiceMemo === true ? " (voice memo)" : ""}${part.sticker === true ? " (sticker)" : ""}`;
    case "link":
      return `link ${part.url}`;
    case "poll":
      return part.options.map(({ text }) => text).join("/");
    default:
      return part.type;
  }
}

const file = (name: string, more: object = {}) => ({
  original_path: `/tmp/${name}`,
  transfer_name: name,
  ...more,
});
const poll = (more: Partial<MacPoll>): MacPoll => ({
  kind: "created",
  event: "imessage.poll.created",
  ...more,
});

test.each<[string, string, RowFields, unknown[]]>([
  ["a file alone", "\ufffc", { attachments: [file("a.heic")] }, ["a.heic"]],
  ["a photo with a caption below", "\ufffclook", { attachments: [file("a.jpg")] }, ["a.jpg", "look"]],
  [
    "files between texts",
    "one \ufffc two\ufffc",
    { attachments: [file("1.png"), file("2.png")] },
    ["one", "1.png", "two", "2.png"],
  ],
  ["more files than marks", "see\ufffc", { attachments: [file("1"), file("2")] }, ["see", "1", "2"]],
  ["a live photo", "\ufffc\ufffc", { attachments: [file("I.HEIC"), file("I.mov")] }, ["I.HEIC", "I.mov"]],
  ["a mark without a file", "\ufffchello", {}, ["hello"]],
  ["a file whose name is only in its path", "", { attachments: [{ original_path: "/a/b.pdf" }] }, ["b.pdf"]],
  [
    "a file without any path",
    "",
    { attachments: [{ transfer_name: "gone.png", missing: true }] },
    ["gone.png"],
  ],
  [
    "a voice memo with its transcription",
    "call me",
    { attachments: [CAF] },
    ["Audio Message.caf (voice memo)"],
  ],
  ["a sticker", "\ufffc", { attachments: [file("s.png", { is_sticker: true })] }, ["s.png (sticker)"]],
  [
    "a link with its preview",
    "https://example.com/a",
    { url_preview: URL_PREVIEW },
    ["link https://example.com/a"],
  ],
  [
    "a preview in a row of its own",
    "https://example.com/a",
    { balloon_bundle_id: URL_BALLOON, attachments: [PREVIEW] },
    ["link https://example.com/a"],
  ],
  [
    "a text with a previewed link",
    "see https://example.com/a",
    { url_preview: URL_PREVIEW },
    ["see https://example.com/a"],
  ],
  ["a poll", "", { poll: poll({ poll_guid: "G", options: OPTIONS }) }, ["Pizza/Sushi"]],
  [
    "a poll that can't be read",
    "",
    {
      poll: poll({ kind: "unknown" }),
      balloon_bundle_id: "com.apple.messages.MSMessageExtension:A:com.apple.messages.Polls",
    },
    ["[Poll]"],
  ],
  [
    "a drawing",
    "",
    { balloon_bundle_id: "com.apple.DigitalTouchBalloonProvider" },
    ["[Digital Touch message]"],
  ],
  [
    "a game",
    "\ufffc",
    {
      balloon_bundle_id: "com.apple.messages.MSMessageExtensionBalloonPlugin:A:com.example.game",
      attachments: [PREVIEW],
    },
    ["[Message of an iMessage app]"],
  ],
  ["an emoji with a tone", "👍🏽", {}, ["👍🏽"]],
  ["a text with U+0000", "Hi\u0000there", {}, ["Hi\u0000there"]],
  ["a text with spaces at its ends", "  hello ", {}, ["  hello "]],
  ["a long text", "x".repeat(100_000), {}, ["x".repeat(100_000)]],
])("%s arrives with its parts in their order", async (_, text, fields, parts) => {
  mac.write(PERSON, text, fields);
  expect(await read()).toMatchObject([{ type: "message", from: PERSON, groupRef: null, parts }]);
});

test("the path, the size and the type of a file are imsg's", async () => {
  mac.write(PERSON, "", { attachments: [file("a.heic", { total_bytes: 12, mime_type: "image/heic" })] });
  await read();
  const [media] = mediaOf();
  expect(media).toMatchObject({ sizeBytes: 12, source: "12 /tmp/a.heic", mimeType: "image/heic" });
});

test.each<[string, RowFields, unknown]>([
  ["a message with only reply_to_guid is no reply", { reply_to_guid: "ABC" }, undefined],
  [
    "a message in a thread replies to its originator",
    { thread_originator_guid: "ABC" },
    { ref: "ABC", part: 0 },
  ],
  [
    "a reply to a part names it",
    { thread_originator_guid: "ABC", thread_originator_part: "1:0:12", reply_to_guid: "LAST" },
    { ref: "ABC", part: 1 },
  ],
])("%s", async (_, fields, replyTo) => {
  mac.write(PERSON, "yes", fields);
  const [event] = await read();
  expect(event?.replyTo).toEqual(replyTo);
});

test.each<[ChatOf["service"], 15 | 26]>([
  ["SMS", 26],
  ["RCS", 26],
  ["iMessage", 26],
  ["SMS", 15],
  ["RCS", 15],
])("a message over %s on macOS %s has the service of its chat", async (service, macOs) => {
  mac.knobs.macOs = macOs;
  const from = `+1555010${6410 + Math.floor(Math.random() * 80)}`;
  mac.write(from, "hi", {}, { ...(service !== undefined && { service }) });
  mac.knobs.macOs = 26;
  expect(await read()).toMatchObject([{ service, from }]);
});

test.each([
  ["12345", "12345"],
  ["tel:+12025550143", "+12025550143"],
  ["+1 (202) 555-0143", "+12025550143"],
  ["(202) 555-0143", "+12025550143"],
  ["mailto:Someone@Example.com", "someone@example.com"],
  ["MyBank", "MyBank"],
  ["urn:biz:0f0e", "urn:biz:0f0e"],
])("the sender %s is %s", async (sender, from) => {
  mac.write(sender, "hello");
  expect(await read()).toMatchObject([{ type: "message", from }]);
});

test("a row without a sender in a direct chat is of the person of the chat", async () => {
  mac.write(PERSON, "me", { sender: "" });
  expect(await read()).toMatchObject([{ from: PERSON }]);
});

test("a row of a group names its chat and the others, without the line", async () => {
  const participants = [PERSON, OTHER, "+1 202 555 0100"];
  mac.write(PERSON, "hi all", {}, { service: "SMS", group: { identifier: "chat77", participants } });
  expect(await read()).toMatchObject([{ groupRef: "any;+;chat77", others: [OTHER], service: "SMS" }]);
});

test("a change of a group and a row without content are no messages", async () => {
  mac.write(PERSON, "", {}, { group: { identifier: "chat78", participants: [PERSON], name: "New name" } });
  mac.write(PERSON, "\ufffc");
  expect(await read()).toEqual([]);
});

test("a reflection of our own message is dropped, and a person's own message never is", async () => {
  const own = mac.write(PERSON, "Your table is ready", { is_from_me: true });
  mac.write(PERSON, "Your table is ready", { sender: LINE.phoneNumber });
  mac.write(PERSON, "Your table is ready", { sender: "line@example.com" });
  mac.write(PERSON, "changed", { guid: own.toLowerCase() });
  mac.write(PERSON, "Your table is ready");
  // The same text of another person, once more, and at another time.
  const others = [
    mac.write(OTHER, "Your table is ready"),
    mac.write(PERSON, "Your table is ready"),
    mac.write(PERSON, "Your table is ready", { created_at: new Date(Date.now() - 60_000).toISOString() }),
  ];
  expect((await read()).map(({ ref }) => ref)).toEqual(others);
});

test("a reflection that comes before the send is answered is dropped", async () => {
  const to = "+15550106402";
  mac.behave(to, "slow_answer");
  const parts: OutPart[] = [
    { type: "text", value: "One moment", decorations: [], mentions: [], stickers: [] },
  ];
  const message = { id: newId(Date.now()), line: LINE, service: "iMessage" as const, to: [to], group: null };
  const sending = imsgTransport.send(
    { ...message, parts, effect: null, replyTo: null },
    AbortSignal.timeout(20_000),
  );
  await until(() => mac.calls.some(({ params }) => params.text === "One moment"));
  mac.write(to, "One moment");
  expect(await read()).toEqual([]);
  const { refs } = await sending;
  // The line asks what became of the message, and reports it: nothing of it may arrive in another test.
  await until(() => reported.some((event) => event.type === "delivered" && event.ref === refs[0]));
});

test("a text that could not be sent is no reason to drop a person's own minutes later", async () => {
  const echoes = createEchoes(LINE);
  echoes.addSend({ to: PERSON }, "Yes");
  const later = (ms: number) => new Date(Date.now() + ms).toISOString();
  const row = (created_at: string) =>
    ImsgMessage.parse({
      id: 1,
      is_from_me: false,
      chat_identifier: PERSON,
      sender: PERSON,
      text: "Yes",
      created_at,
    });
  expect(echoes.isEcho(row(later(10 * 60_000)))).toBe(false);
  expect(echoes.isEcho(row(later(60_000)))).toBe(true);
});

const REACTION = { is_reaction: true as const, reacted_to_guid: "ABC", is_reaction_add: true };

test.each<[string, RowFields, unknown]>([
  ["emphasis", { reaction_type: "emphasis", reaction_emoji: "‼️" }, { reaction: { type: "emphasize" } }],
  [
    "an emoji",
    { reaction_type: "custom", reaction_emoji: "🔥" },
    { reaction: { type: "custom", emoji: "🔥" } },
  ],
  ["the removal of a heart", { reaction_type: "love", is_reaction_add: false }, { isRemoved: true }],
  [
    "the removal of an emoji that imsg can't read",
    { is_reaction_add: false },
    { isRemoved: true, reaction: { type: "custom", emoji: null } },
  ],
  ["one of a new kind", { reaction_type: "wave" }, { reaction: { type: "unknown" } }],
  ["one to a part", { reaction_type: "love", reacted_to_guid: "p:1/ABC" }, { ref: "ABC", part: 1 }],
  ["one to a whole message", { reaction_type: "love", reacted_to_guid: "bp:ABC" }, { ref: "ABC", part: 0 }],
])("a reaction, %s, arrives", async (_, fields, expected) => {
  mac.write(PERSON, "Reacted to “hello”", { ...REACTION, ...fields });
  expect(await read()).toMatchObject([{ type: "reaction", from: PERSON, ...(expected as object) }]);
});

test("votes arrive with all options of their person, and added options without the known ones", async () => {
  const guid = mac.write(PERSON, "", { poll: poll({ options: OPTIONS }) });
  const vote = (votes: MacPoll["votes"]) =>
    poll({ kind: "vote", event: "imessage.poll.voted", poll_guid: guid, original_guid: guid, votes });
  const more = [...OPTIONS, { id: "O3", text: "Tacos" }];
  mac.write(PERSON, "", { poll: vote([{ option_id: "O2", participant: PERSON }]) });
  mac.write(OTHER, "", { poll: poll({ poll_guid: guid, original_guid: guid, options: more }) });
  mac.write(PERSON, "", {
    poll: vote([
      { option_id: "O1", event_type: "selected" },
      { option_id: "O3" },
      { option_id: "O2", event_type: "removed" },
    ]),
  });
  mac.write(PERSON, "", { poll: vote(undefined) });
  expect((await read()).slice(1)).toMatchObject([
    { type: "votes", ref: guid, from: PERSON, options: [{ ref: "O2", position: 1 }] },
    { type: "poll_options", ref: guid, from: OTHER, options: [{ ref: "O3", text: "Tacos" }] },
    {
      type: "votes",
      options: [
        { ref: "O1", position: 0 },
        { ref: "O3", position: 2 },
      ],
    },
    { type: "votes", options: [] },
  ]);
});

test("a row of odd values loses only these", async () => {
  mac.write(PERSON, "odd", {
    attachments: null,
    thread_originator_guid: 7,
    poll: "poll",
    balloon_bundle_id: [],
    created_at: "yesterday",
  } as unknown as RowFields);
  expect(await read()).toMatchObject([{ parts: ["odd"], at: expect.any(Date) }]);
});

describe("a poll of the rows", () => {
  const page = (cursor: string | null) =>
    imsgTransport.poll?.read(LINE, {}, cursor, AbortSignal.timeout(20_000));
  const refsOf = (events: readonly InEvent[] = []) =>
    events.flatMap((event) => (event.type === "message" ? event.ref : []));

  async function readToEnd(
    from: string | null,
  ): Promise<{ refs: string[]; events: InEvent[]; cursor: string | null }> {
    const events: InEvent[] = [];
    let cursor = from;
    for (let more = true; more; ) {
      const next = await page(cursor);
      events.push(...(next?.events ?? []));
      cursor = next?.cursor ?? null;
      more = next?.more === true;
    }
    return { refs: refsOf(events), events, cursor };
  }

  /** Writes reactions of a person that have higher numbers than the rows of a file that is new. Returns the cursor. */
  async function fillDatabase(): Promise<string | null> {
    for (let times = 0; times < 6; times++) mac.write(OTHER, "", { ...REACTION, reaction_type: "like" });
    return (await readToEnd(null)).cursor;
  }

  test("leaves out old messages that Messages fills in later", async () => {
    const { cursor } = await readToEnd(null);
    mac.write(PERSON, "from the archive", { created_at: "2019-05-01T10:00:00.000Z" });
    const recent = mac.write(PERSON, "of today");
    expect((await read()).map(({ ref }) => ref)).toEqual([recent]);
    const { refs } = await readToEnd(cursor);
    expect(refs).toContain(recent);
    expect(refs).toHaveLength(2);
  });

  test("reports messages that arrived during a week without the Mac", async () => {
    const { cursor = "" } = await readToEnd(null);
    const [row] = (cursor ?? "").split(" ");
    const before = new Date(Date.now() - 8 * 86_400_000).toISOString();
    const late = mac.write(PERSON, "are you there?", {
      created_at: new Date(Date.now() - 6 * 86_400_000).toISOString(),
    });
    expect((await read()).filter(({ type }) => type === "message")).toEqual([]);
    expect((await readToEnd(`${row} ${before}`)).refs).toContain(late);
  });

  test("a row waits until Messages has joined it to its chat, and is no direct message before", async () => {
    const { cursor } = await readToEnd(null);
    const row = mac.write(PERSON, "who?", {}, { isUnknown: true });
    const waiting = await page(cursor);
    expect(waiting).toMatchObject({ events: [], more: false, pauseSeconds: 2 });
    mac.join(row, PERSON);
    expect((await readToEnd(waiting?.cursor ?? null)).refs).toEqual([row]);
  });

  test("a row that can't be read behind one that waits is reported once", async () => {
    const { cursor } = await readToEnd(null);
    const unreadable = { is_from_me: 0 as never };
    mac.write(PERSON, "before", unreadable);
    const row = mac.write(PERSON, "who?", {}, { isUnknown: true });
    mac.write(PERSON, "behind", unreadable);
    const first = await page(cursor);
    expect(first).toMatchObject({ events: [{ type: "unreadable" }], pauseSeconds: 2 });
    const second = await page(first?.cursor ?? null);
    expect(second).toMatchObject({ events: [], pauseSeconds: 2 });
    mac.join(row, PERSON);
    const { events } = await readToEnd(second?.cursor ?? null);
    expect(events.filter(({ type }) => type === "unreadable")).toHaveLength(1);
  });

  test("a row that is never joined is refused, and stops nothing", async () => {
    const { cursor } = await readToEnd(null);
    mac.write(PERSON, "no one", {}, { isUnknown: true });
    const behind = mac.write(PERSON, "behind");
    const all: InEvent[] = [];
    let at = cursor;
    for (let times = 0; times < 30 && refsOf(all).length === 0; times++) {
      const next = await page(at);
      all.push(...(next?.events ?? []));
      at = next?.cursor ?? null;
    }
    expect(all).toMatchObject([{ type: "refused" }, { type: "message", ref: behind }]);
  });

  test("a reaction that was removed since is not repeated", async () => {
    const { cursor } = await readToEnd(null);
    mac.write(PERSON, "", { ...REACTION, reaction_type: "love" });
    mac.write(PERSON, "", { ...REACTION, reaction_type: "love", is_reaction_add: false });
    expect(await read()).toHaveLength(2);
    const { events } = await readToEnd(cursor);
    expect(events.filter(({ type }) => type === "reaction")).toMatchObject([{ isRemoved: true }]);
  });

  test("when another file takes the place of the database, what is new in it arrives", async () => {
    const cursor = await fillDatabase();
    mac.replaceDatabase();
    const first = mac.write(PERSON, "on the new Mac");
    const second = mac.write(PERSON, "again");
    expect((await readToEnd(cursor)).refs).toEqual([first, second]);
  });

  test("forgets the reactions of a database file that was replaced", async () => {
    const cursor = await fillDatabase();
    mac.replaceDatabase();
    const first = mac.write(OTHER, "on the new Mac");
    mac.write(OTHER, "", { ...REACTION, reaction_type: "laugh" });
    expect((await readToEnd(cursor)).events).toMatchObject([
      { ref: first },
      { type: "reaction", reaction: { type: "laugh" } },
    ]);
  });

  test("all pages after a week without the Mac are compared with what was known before them", async () => {
    const { cursor } = await readToEnd(null);
    const [row] = (cursor ?? "").split(" ");
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const written = [
      mac.write(PERSON, "first of today"),
      mac.write(PERSON, "second of today"),
      mac.write(PERSON, "third of today"),
      mac.write(PERSON, "of six days ago, on the next page", { created_at: daysAgo(6) }),
    ];
    mac.write(PERSON, "of years ago", { created_at: "2019-05-01T10:00:00.000Z" });
    const { refs, cursor: end } = await readToEnd(`${row} ${daysAgo(7)}`);
    expect(refs).toEqual(written);
    // The next lap knows the newest of all pages.
    expect(Date.parse((end ?? "").split(" ")[1] ?? "")).toBeGreaterThan(Date.parse(daysAgo(1)));
  });
});

function mediaOf(): InMedia[] {
  return reported.flatMap((event) =>
    event.type === "message" ? event.parts.flatMap((part) => (part.type === "media" ? [part] : [])) : [],
  );
}

describe("a file of the Mac", () => {
  const open = async (source: string) => {
    const chunks: Uint8Array[] = [];
    const opened = await imsgTransport.openFile?.(LINE, {}, source, AbortSignal.timeout(20_000));
    for await (const chunk of opened ?? []) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  test("that arrives later is opened by its source", async () => {
    const name = path.join(mac.directory, "late.txt");
    await expect(open(`9 ${name}`)).rejects.toThrow("ENOENT");
    writeFileSync(name, "only half");
    await expect(open(`99 ${name}`)).rejects.toThrow("still arriving");
    expect(await open(`9 ${name}`)).toBe("only half");
  });

  test("that is a directory will never come", async () => {
    const name = path.join(mac.directory, "folder");
    mkdirSync(name);
    await expect(open(`1 ${name}`)).rejects.toMatchObject({ kind: "rejected" });
  });

  test.skipIf(process.getuid?.() === 0)("that can't be read is tried again", async () => {
    const name = path.join(mac.directory, "secret.txt");
    writeFileSync(name, "secret");
    chmodSync(name, 0o000);
    await expect(open(`6 ${name}`)).rejects.toThrow("EACCES");
  });

  test("without a path is not there", async () => {
    await expect(open("0 ")).rejects.toThrow("no path");
  });
});

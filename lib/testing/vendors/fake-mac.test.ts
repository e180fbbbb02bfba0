import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { METHODS, type Method, parametersOf, WITHOUT_BRIDGE } from "@/lib/testing/vendors/fake-mac-methods";
import type { RowFields } from "@/lib/testing/vendors/fake-mac-payloads";
import { type ChatOf, createMacStore, type MacKnobs } from "@/lib/testing/vendors/fake-mac-store";

/** The lists of imsg's sources, which are not part of this repository. */
interface VendorData {
  methods_without_bridge: string[];
  methods_with_bridge: string[];
  parameters: Record<string, string[]>;
  message: string[];
  attachment: { "emitted by the source": string[] };
  chat: string[];
  poll: { kind: string[]; fields: string[] };
}

const file = path.join(process.env.VENDOR_DATA ?? "", "imsg-0.15.10.json");
const hasVendorData = process.env.VENDOR_DATA !== undefined && existsSync(file);
const vendorData = hasVendorData ? (JSON.parse(readFileSync(file, "utf8")) as VendorData) : null;

const KNOBS: MacKnobs = {
  bridge: true,
  database: true,
  cutLines: false,
  down: false,
  macOs: 26,
  failing: null,
  answering: Promise.resolve(),
};
const PERSON = "+15550106300";

/** One row of each kind. */
const ROWS: [string, RowFields, ChatOf][] = [
  ["a text", {}, {}],
  ["\ufffc", { attachments: [{ original_path: "/tmp/a.heic", total_bytes: 1 }] }, { service: "SMS" }],
  ["a reply", { thread_originator_guid: "A", thread_originator_part: "0:0:1", reply_to_guid: "A" }, {}],
  ["Loved", { is_reaction: true, reaction_type: "love", reaction_emoji: "❤️", is_reaction_add: true }, {}],
  [
    "",
    { poll: { kind: "created", event: "imessage.poll.created", options: [{ id: "1", text: "Yes" }] } },
    {},
  ],
  ["", { poll: { kind: "vote", event: "imessage.poll.voted", votes: [{ option_id: "1" }] } }, {}],
  ["hi", {}, { group: { identifier: "chat1", participants: [PERSON] } }],
  ["hi", {}, { isUnknown: true }],
  ["ours", { is_from_me: true, destination_caller_id: "+12025550100" }, {}],
];

async function emit(): Promise<Record<string, unknown>[]> {
  const store = createMacStore(KNOBS, () => undefined);
  for (const [text, fields, chat] of ROWS) store.add(PERSON, text, chat, fields);
  const rows: Record<string, unknown>[] = [];
  for (let since = 0; rows.length < ROWS.length; since = Number(rows.at(-1)?.id)) {
    const page = await store.handle(
      "messages.after",
      { since_rowid: since, include_reactions: true },
      () => undefined,
    );
    rows.push(...(page as { messages: Record<string, unknown>[] }).messages);
  }
  return rows;
}

const wordsOf = (fields: readonly string[]) => fields.map((field) => field.split(" ")[0] ?? "");

test.skipIf(!hasVendorData)("the fake Mac takes the parameters that imsg takes, and no others", () => {
  const listed = Object.entries(vendorData?.parameters ?? {}).filter(([method]) =>
    METHODS.includes(method as Method),
  );
  expect(listed.length).toBeGreaterThan(20);
  for (const [method, parameters] of listed) {
    expect([method, parametersOf(method as Method).toSorted()]).toEqual([method, parameters.toSorted()]);
  }
});

test.skipIf(!hasVendorData)("the methods of the fake Mac are imsg's, with and without its bridge", () => {
  const all = [...(vendorData?.methods_without_bridge ?? []), ...(vendorData?.methods_with_bridge ?? [])];
  expect(METHODS.filter((method) => !all.includes(method))).toEqual([]);
  expect(WITHOUT_BRIDGE.filter((method) => !vendorData?.methods_without_bridge.includes(method))).toEqual([]);
  const bridged = METHODS.filter((method) => !WITHOUT_BRIDGE.includes(method));
  expect(bridged.filter((method) => !vendorData?.methods_with_bridge.includes(method))).toEqual([]);
});

test.skipIf(!hasVendorData)(
  "every object that the fake Mac emits has only the fields that imsg emits",
  async () => {
    const messages = wordsOf(vendorData?.message ?? []);
    const attachments = vendorData?.attachment["emitted by the source"] ?? [];
    const polls = (vendorData?.poll.fields ?? []).map((field) => field.split("[")[0] ?? "");
    for (const row of await emit()) {
      expect(Object.keys(row).filter((key) => !messages.includes(key))).toEqual([]);
      for (const each of row.attachments as object[]) {
        expect(Object.keys(each).filter((key) => !attachments.includes(key))).toEqual([]);
      }
      expect(Object.keys(row.poll ?? {}).filter((key) => !polls.includes(key))).toEqual([]);
      expect(Object.values(row)).not.toContain(null);
    }
    const store = createMacStore(KNOBS, () => undefined);
    for (const [text, fields, chat] of ROWS) store.add(PERSON, text, chat, fields);
    const { chats } = (await store.handle("chats.list", {}, () => undefined)) as { chats: object[] };
    expect(chats.length).toBeGreaterThan(1);
    for (const chat of chats) {
      expect(Object.keys(chat).filter((key) => !vendorData?.chat.includes(key))).toEqual([]);
    }
  },
);

test("a parameter that imsg does not know is refused", async () => {
  const store = createMacStore(KNOBS, () => undefined);
  await expect(store.handle("chats.list", { limit: 1, chatId: 1 }, () => undefined)).rejects.toMatchObject({
    code: -32602,
  });
});

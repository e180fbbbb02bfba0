import "@/lib/testing/use-test-database";

import { Readable } from "node:stream";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { objectStore } from "@/lib/adapters/storage/registry";
import type { InEvent, InMedia } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { registerTransport } from "@/lib/adapters/transports/registry";
import type { Transport } from "@/lib/adapters/transports/transport";
import { objectKey } from "@/lib/attachments/attachment";
import { endAwaited } from "@/lib/messaging/inbound/end-awaited";
import { startFileFetches } from "@/lib/messaging/inbound/fetch-files";
import { sql } from "@/lib/platform/database/db";
import { wakeLocally } from "@/lib/platform/database/wake";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { eventsOfMessage, readMessage } from "@/lib/testing/factories";
import { lineOf } from "@/lib/testing/line-of";
import { receiveEvent } from "@/lib/testing/receive-event";
import { until } from "@/lib/testing/until";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const WEBP = Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=", "base64");
const OGG = Buffer.concat([
  Buffer.from("OggS\0\x02"),
  Buffer.alloc(22),
  Buffer.from("\x01\x1eOpusHead"),
  Buffer.alloc(60),
]);

let account: TestAccount;
let line: LineRef;
let counter = 0;
let stop = async () => {};

/** The answers of the vendor for the sources of files. */
const files = new Map<string, () => Promise<AsyncIterable<Uint8Array>>>();

const vendor: Transport = {
  ...numericTransport,
  name: "filing",
  poll: undefined as never,
  openFile: async (_, __, source) => (files.get(source) ?? (() => Promise.reject(new Error("404"))))(),
};

beforeAll(async () => {
  registerTransport(vendor);
  account = await createTestAccount({ type: "sandbox" });
  await sql.runText({
    text: "update lines set transport = 'filing' where account_id = $1",
    values: [account.ref.id],
  });
  line = await lineOf(account);
});

afterEach(async () => {
  await stop();
  stop = async () => {};
});

function startFetching(): void {
  const queue = startFileFetches();
  stop = () => queue.stop();
}

async function makeDue(): Promise<void> {
  await sql.runText({
    text: "update awaited_files set due_at = 'epoch' where account_id = $1",
    values: [account.ref.id],
  });
  wakeLocally("files");
}

const media = (more: Partial<InMedia>): InMedia => ({
  type: "media",
  filename: "IMG_1.png",
  mimeType: "image/png",
  open: () => Promise.reject(new Error("404")),
  ...more,
});

const stream =
  (...chunks: Uint8Array[]) =>
  async () =>
    Readable.from(chunks);

async function receive(...parts: InEvent<"message">["parts"]): Promise<string> {
  const ref = `late-${++counter}`;
  const from = `+1202557${1000 + counter}`;
  const at = new Date();
  await receiveEvent(line, {
    type: "message",
    ref,
    groupRef: null,
    from,
    others: [],
    service: "SMS",
    at,
    parts,
  });
  const [row] = await sql.runText<{ id: string }>({
    text: "select message_id as id from transport_refs where account_id = $1 and ref = $2",
    values: [account.ref.id, ref],
  });
  return row?.id ?? "";
}

const Part = z.looseObject({
  id: z.string().default(""),
  url: z.string().nullish(),
  status: z.string().optional(),
});

/** The parts of a message; a missing one is empty. */
async function partsOf(id: string): Promise<[z.infer<typeof Part>, z.infer<typeof Part>]> {
  const { parts } = await readMessage(account, id);
  return [Part.parse(parts[0] ?? {}), Part.parse(parts[1] ?? {})];
}

async function attachmentOf(id: string) {
  const { body } = await callApi(`GET /v3/attachments/${id}`, { token: account.token });
  return body;
}

function hangs(): Promise<AsyncIterable<Uint8Array>> {
  return new Promise(() => {});
}

async function* broken(): AsyncIterable<Uint8Array> {
  yield PNG.subarray(0, 20);
  throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

/** A stream that fails before anyone reads it, as that of a file that is not there. */
function failsAtOnce(): Promise<AsyncIterable<Uint8Array>> {
  const readable = new Readable({ read() {} });
  process.nextTick(() => readable.destroy(Object.assign(new Error("ENOENT"), { code: "ENOENT" })));
  return Promise.resolve(readable);
}

describe("a file that can't be had", () => {
  test.each([
    ["is refused", () => Promise.reject(new Error("404"))],
    ["is cut", async () => broken()],
    ["fails before it is read", failsAtOnce],
    ["is empty", stream()],
  ])(
    "and %s leaves the text, and shows that it is missing when it can't be fetched again",
    async (_, open) => {
      const id = await receive({ type: "text", value: "look" }, media({ open, sizeBytes: 70 }));
      const parts = await partsOf(id);
      expect(parts).toMatchObject([
        { type: "text", value: "look" },
        {
          type: "media",
          filename: "IMG_1.png",
          mime_type: "image/png",
          size_bytes: 70,
          url: null,
          status: "failed",
        },
      ]);
      expect(await attachmentOf(parts[1].id)).toMatchObject({ status: "failed", filename: "IMG_1.png" });
    },
  );

  test("comes later: the message shows it then, and message.received is sent once", async () => {
    const source = `file-${++counter}`;
    const id = await receive(
      { type: "text", value: "look" },
      media({ source, filename: "ME456", mimeType: null }),
    );
    const [, before] = await partsOf(id);
    expect(before).toMatchObject({ filename: "ME456.bin", url: null, status: "pending" });
    expect(await attachmentOf(before.id)).toMatchObject({ status: "pending" });
    expect(await eventsOfMessage(account, id)).toMatchObject([{ type: "message.received" }]);

    startFetching();
    await until(async () => (await attempts(id)) === 1);
    files.set(source, stream(PNG.subarray(0, 30), PNG.subarray(30)));
    await makeDue();
    await until(async () => typeof (await partsOf(id))[1].url === "string");

    const [, after] = await partsOf(id);
    expect(after).toMatchObject({
      id: before.id,
      filename: "ME456.png",
      mime_type: "image/png",
      size_bytes: PNG.length,
    });
    expect(after).not.toHaveProperty("status");
    expect((await fetchFile(after.url ?? "")).bytes.equals(PNG)).toBe(true);
    const events = await eventsOfMessage(account, id);
    expect(events.map(({ type }) => type)).toEqual(["message.received"]);
    expect(JSON.stringify(events)).not.toContain('"status":"pending"');
  });

  test("and is a contact card is reported by its name when it comes", async () => {
    const source = `file-${++counter}`;
    const card = Buffer.from("BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada\r\nEND:VCARD\r\n");
    const id = await receive(media({ source, filename: "Ada.vcf", mimeType: "text/vcard" }));
    files.set(source, stream(card));
    startFetching();
    await makeDue();
    await until(async () => (await eventsOfMessage(account, id)).length === 2);

    const [, event] = await eventsOfMessage(account, id);
    expect(event).toMatchObject({
      type: "contact_card.received",
      data: {
        first_name: "Ada",
        last_name: "Lovelace",
        owner_handle: account.line,
        sender_handle: `+1202557${1000 + counter}`,
        image: { filename: "Ada.vcf" },
      },
    });
    const [contact] = await sql.runText({
      text: "select name, name_source from contacts where account_id = $1 and name = 'Ada Lovelace'",
      values: [account.ref.id],
    });
    expect(contact).toEqual({ name: "Ada Lovelace", name_source: "contact_card" });
  });

  test("and that two workers fetch at once stays, and one whose message is gone does not", async () => {
    const source = `file-${++counter}`;
    const id = await receive(media({ source }));
    files.set(source, stream(PNG));
    startFetching();
    await makeDue();
    await until(async () => typeof (await partsOf(id))[0].url === "string");
    const [part] = await partsOf(id);
    const awaited = { account_id: account.ref.id, attachment_id: part.id, message_id: id };
    const file = { id: part.id, filename: "IMG_1.png", contentType: "image/png", sizeBytes: PNG.length };

    await endAwaited(awaited, file);
    expect((await fetchFile(part.url ?? "")).bytes.equals(PNG)).toBe(true);

    await sql.runText({
      text: "update attachments set status = 'failed' where account_id = $1 and id = $2",
      values: [account.ref.id, part.id],
    });
    await endAwaited(awaited, file);
    const key = objectKey({ accountId: account.ref.id, attachmentId: part.id });
    expect(await objectStore().head(key)).toBeNull();
  });

  test("and that the vendor deleted is marked as missing, and its row goes", async () => {
    const source = `file-${++counter}`;
    files.set(source, () => Promise.reject(new AdapterError("rejected", "gone")));
    const id = await receive(media({ source }));
    startFetching();
    await until(async () => (await partsOf(id))[0].status === "failed");
    expect(await attempts(id)).toBeNull();
  });

  test("is given up after the last attempt", async () => {
    const id = await receive(media({ source: `file-${++counter}` }));
    await sql.runText({ text: "update awaited_files set attempts = 9 where message_id = $1", values: [id] });
    startFetching();
    await until(async () => (await partsOf(id))[0].status === "failed");
  });

  test("does not delay a STOP", async () => {
    const id = await receive({ type: "text", value: "STOP" }, media({ source: "slow", open: hangs }));
    expect((await readMessage(account, id)).parts).toMatchObject([{ value: "STOP" }, { status: "pending" }]);
  });

  async function attempts(messageId: string): Promise<number | null> {
    const [row] = await sql.runText<{ attempts: number }>({
      text: "select attempts from awaited_files where account_id = $1 and message_id = $2",
      values: [account.ref.id, messageId],
    });
    return row?.attempts ?? null;
  }
});

test.each([
  ["a PNG called JPEG", "photo.jpg", "image/jpeg", PNG, "photo.jpg", "image/png"],
  ["a WebP of a generic type", "x", "application/octet-stream", WEBP, "x.webp", "image/webp"],
  ["a correctly labelled image without an extension", "ME456", "image/png", PNG, "ME456.png", "image/png"],
  [
    "a voice of a type that the API does not know",
    "voice",
    "audio/ogg; codecs=opus",
    OGG,
    "voice.ogg",
    "audio/ogg",
  ],
  [
    "bytes of no known type",
    "blob",
    "binary/octet-stream",
    Buffer.from([1, 2, 3, 255]),
    "blob.bin",
    "application/octet-stream",
  ],
  [
    "bytes of no known type with a type",
    "a",
    "application/x-thing",
    Buffer.from([1, 2, 3, 255]),
    "a.thing",
    "application/x-thing",
  ],
])(
  "%s is stored under the type of its bytes",
  async (_, filename, mimeType, bytes, storedName, storedType) => {
    const id = await receive(media({ filename, mimeType, open: stream(bytes) }));
    const [part] = await partsOf(id);
    expect(part).toMatchObject({ filename: storedName, mime_type: storedType, size_bytes: bytes.length });
    expect((await fetchFile(part.url ?? "")).bytes.equals(bytes)).toBe(true);
    expect(await attachmentOf(part.id)).toMatchObject({ content_type: storedType, status: "complete" });
  },
);

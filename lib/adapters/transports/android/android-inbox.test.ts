import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { androidTransport } from "@/lib/adapters/transports/android/android-transport";
import { earlierUnitId } from "@/lib/adapters/transports/android/android-units";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { OutMedia } from "@/lib/adapters/transports/outbound";
import type { PolledPage } from "@/lib/adapters/transports/transport";
import { now } from "@/lib/platform/time/clock";
import { createAndroidBench, settled, text } from "@/lib/testing/vendors/android-bench";
import { type FakeAndroid, startFakeAndroid } from "@/lib/testing/vendors/fake-android";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1,localhost";

let bench: ReturnType<typeof createAndroidBench>;

beforeAll(() => {
  bench = createAndroidBench();
});
afterAll(() => bench.close());

const ago = (seconds: number) => new Date(now().getTime() - seconds * 1000);

const messagesOf = ({ events }: PolledPage) =>
  events.flatMap((event) => (event.type === "message" ? [event] : []));

const refreshesOf = ({ requests }: FakeAndroid) =>
  requests.filter((request) => request === "POST /inbox/refresh").length;

const textsOf = (page: PolledPage) =>
  messagesOf(page).map(({ parts }) =>
    parts.map((part) => (part.type === "text" ? part.value : part.type)).join(),
  );

describe("the inbox", () => {
  test("is read oldest first, with the whole text and the sender in E.164 format", () =>
    bench.withPhone(async (phone, cursor) => {
      const long = "long ".repeat(200);
      phone.write("(202) 555-0199", long, { at: ago(2) });
      phone.write("MyBank", "Your code is 4711", { at: ago(30) });
      phone.write("+12025550101", "second", { at: ago(1) });
      const page = await bench.read(cursor);
      expect(messagesOf(page)).toMatchObject([
        { from: "MyBank", service: "SMS", at: ago(30) },
        { from: "+12025550199", parts: [{ type: "text", value: long }] },
        { from: "+12025550101" },
      ]);
      expect((await bench.read(page.cursor)).events).toEqual([]);
    }));

  test("every page is read, whatever their number", () =>
    bench.withPhone(async (phone, cursor) => {
      for (let count = 0; count < 130; count++)
        phone.write(bench.newPerson(), `${count}`, { at: ago(130 - count) });
      const page = await bench.read(cursor);
      expect(textsOf(page)).toEqual(Array.from({ length: 130 }, (_, count) => `${count}`));
      expect((await bench.read(page.cursor)).events).toEqual([]);
    }));

  test("a message that the network delivers hours late is found at once, behind newer ones", () =>
    bench.withPhone(async (phone, first) => {
      bench.advance(3 * 3600);
      const { cursor } = await bench.read(first);
      for (let count = 0; count < 60; count++) phone.write(bench.newPerson(), "new", { at: ago(60 - count) });
      const newer = await bench.read(cursor);
      phone.write("+12025550101", "sent while the phone was off", { at: ago(2 * 3600) });
      const late = await bench.read(newer.cursor);
      expect(messagesOf(late).filter(({ isLive }) => isLive === false)).toMatchObject([
        { from: "+12025550101", at: ago(2 * 3600) },
      ]);
      // The look that found it does not report the others again.
      const refs = new Set(messagesOf(newer).map(({ ref }) => ref));
      expect(messagesOf(late).filter(({ ref }) => refs.has(ref))).toEqual([]);
      expect(messagesOf(late)).toHaveLength(1);
      expect((await bench.read(late.cursor)).events).toEqual([]);
    }));

  test("a phone whose lists have no length shows late messages within ten minutes", () =>
    bench.withPhone(async (phone, first) => {
      phone.knobs.hasTotals = false;
      bench.advance(3600);
      let { cursor } = await bench.read(first);
      for (let count = 0; count < 60; count++) phone.write(bench.newPerson(), "new", { at: ago(60 - count) });
      cursor = (await bench.read(cursor)).cursor;
      phone.write("+12025550101", "late", { at: ago(1800) });
      const found: string[] = [];
      for (let minutes = 0; minutes < 11; minutes++) {
        bench.advance(60);
        const page = await bench.read(cursor);
        found.push(...textsOf(page).filter((value) => value === "late"));
        cursor = page.cursor;
      }
      expect(found).toEqual(["late"]);
    }));

  test("a message that is shown again and again is one message (issues 288, 291, 301, 310 and 372)", () =>
    bench.withPhone(async (phone, cursor) => {
      const at = ago(1);
      for (let times = 0; times < 3; times++) phone.write("+12025550101", "once", { at });
      const first = await bench.read(cursor);
      phone.inbox.refresh(0, now().getTime());
      const [message] = messagesOf(first);
      expect(messagesOf(first)).toHaveLength(1);
      expect((await bench.read(first.cursor)).events).toEqual([]);
      // A poll whose cursor was not stored.
      expect(messagesOf(await bench.read(cursor))).toMatchObject([{ ref: message?.ref, key: message?.ref }]);
    }));

  test("messages that share an id of the phone, which is a hash, are two messages", () =>
    bench.withPhone(async (phone, cursor) => {
      // "Aa" and "BB" have the same hash code in Java.
      const at = ago(1);
      const id = phone.write("+12025550101", "Aa", { at });
      const one = await bench.read(cursor);
      phone.inbox.clean();
      expect(phone.write("+12025550101", "BB", { at: ago(0) })).not.toBe(id);
      phone.inbox.insertRaw({
        id,
        type: "SMS",
        sender: "+12025550102",
        contentPreview: "another",
        createdAt: now().toISOString(),
      });
      const two = await bench.read(one.cursor);
      expect(textsOf(two).sort()).toEqual(["BB", "another"]);
      const refs = [...messagesOf(one), ...messagesOf(two)].map(({ ref }) => ref);
      expect(new Set(refs).size).toBe(3);
    }));

  test("equal texts of a person in different seconds are two messages; in one second the phone keeps one (issue 394)", () =>
    bench.withPhone(async (phone, cursor) => {
      phone.write("+12025550101", "ok", { at: ago(3) });
      phone.write("+12025550101", "ok", { at: ago(2) });
      phone.write("+12025550101", "ok", { at: ago(2) });
      expect(textsOf(await bench.read(cursor))).toEqual(["ok", "ok"]);
    }));

  test("an inbox that the phone cleaned shows what comes afterwards", () =>
    bench.withPhone(async (phone, first) => {
      phone.write("+12025550101", "before", { at: ago(2) });
      let page = await bench.read(first);
      phone.inbox.clean();
      page = await bench.read(page.cursor);
      expect(page.events).toEqual([]);
      phone.write("+12025550101", "after", { at: ago(1) });
      page = await bench.read(page.cursor);
      expect(textsOf(page)).toEqual(["after"]);
    }));

  test("what arrived before the line was connected is not read", () =>
    bench.withPhone(
      async (phone, first) => {
        expect(textsOf(await bench.read(null))).toEqual(["just now"]);
        bench.advance(700);
        phone.write("+12025550101", "new");
        expect(textsOf(await bench.read(first))).toEqual(["new"]);
      },
      {},
      (phone) => {
        phone.write("+12025550101", "private", { at: ago(3600) });
        phone.write("+12025550101", "just now", { at: ago(60) });
      },
    ));

  test("a message that the network took before the first look and delivers after it is read", () =>
    bench.withPhone(
      async (phone, cursor) => {
        phone.write("+12025550101", "delivered late", { at: ago(2 * 3600) });
        const page = await bench.read(cursor);
        expect(textsOf(page)).toEqual(["delivered late"]);
        bench.advance(601);
        expect((await bench.read(page.cursor)).events).toEqual([]);
      },
      {},
      (phone) => {
        phone.write("+12025550101", "private", { at: ago(3600) });
      },
    ));

  test("a text that the phone reads again under another id is the same message", () =>
    bench.withPhone(async (phone, cursor) => {
      phone.write("+12025550101", "once", { at: ago(1) });
      const first = await bench.read(cursor);
      phone.inbox.refresh(0, now().getTime(), (id) => `${id}1`);
      bench.advance(601);
      const again = await bench.read(first.cursor);
      expect([...textsOf(first), ...textsOf(again)]).toEqual(["once"]);
      expect((await bench.read(again.cursor)).events).toEqual([]);
    }));

  test("a row that can't be read is kept, and holds back none behind it", () =>
    bench.withPhone(async (phone, cursor) => {
      phone.inbox.insertRaw({ id: 7, type: "SMS", sender: "+12025550101" });
      phone.inbox.insertRaw("hologram");
      phone.write("+12025550101", "behind", { at: ago(1) });
      const page = await bench.read(cursor);
      expect(page.events.map(({ type }) => type)).toEqual(["unreadable", "unreadable", "message"]);
      expect((await bench.read(page.cursor)).events).toEqual([]);
    }));
});

describe("two SIM cards", () => {
  const two = (phone: { knobs: { simCards: { simNumber: number }[] } }) => {
    phone.knobs.simCards = [{ simNumber: 1 }, { simNumber: 2 }];
  };

  test("a line reads the messages to its SIM card, and says that it can't tell for which one a message came", () =>
    bench.withPhone(
      async (phone, cursor) => {
        phone.write("+12025550101", "to the first", { simNumber: 1, at: ago(3) });
        phone.write("+12025550101", "to the second", { simNumber: 2, at: ago(2) });
        phone.write("+12025550101", "to one of them", { simNumber: null, at: ago(1) });
        const { events } = await bench.read(cursor);
        expect(events).toMatchObject([
          { type: "message", parts: [{ value: "to the second" }] },
          { type: "refused", reason: /permission Phone/ },
        ]);
        await bench.send(bench.outbound(bench.newPerson()));
        await settled();
        expect(phone.queue.sent).toMatchObject([{ simNumber: 2 }]);
      },
      { sim: "2" },
      two,
    ));

  test("on a phone with one SIM card, a message that names none is the line's", () =>
    bench.withPhone(
      async (phone, cursor) => {
        phone.write("+12025550101", "hello", { simNumber: null });
        expect(textsOf(await bench.read(cursor))).toEqual(["hello"]);
      },
      { sim: "1" },
    ));

  test("without the permission Phone, a line with a SIM refuses messages, which may be to the other SIM card", () =>
    bench.withPhone(
      async (phone, cursor) => {
        phone.write("+12025550101", "hello", { simNumber: 2 });
        expect((await bench.read(cursor)).events).toMatchObject([
          { type: "refused", reason: /permission Phone/ },
        ]);
      },
      { sim: "1" },
      (phone) => {
        phone.knobs.simCards = [];
      },
    ));

  test("a connection is tested: the address, the version, the password, the SIM card", async () => {
    const phone = await startFakeAndroid();
    const test = (settings: Record<string, string>) =>
      androidTransport.test?.(bench.line, { ...phone.connection, ...settings }, AbortSignal.timeout(5000)) ??
      expect.fail();
    try {
      expect(await test({})).toEqual([]);
      await expect(test({ password: "wrong" })).rejects.toThrow("the username or the password");
      await expect(test({ base_url: "http://127.0.0.1:9" })).rejects.toThrow("can't be reached");
      await expect(test({ base_url: "http://192.168.1.20:8080" })).rejects.toThrow("TRANSPORT_ALLOW_PRIVATE");
      await expect(test({ sim: "3" })).rejects.toThrow("no SIM card 3");
      two(phone);
      expect(await test({})).toEqual([expect.stringContaining("several SIM cards")]);
      phone.knobs.simCards = [{ simNumber: 1, phoneNumber: "+12025550177" }];
      expect(await test({})).toEqual([expect.stringContaining("another number")]);
      phone.knobs.simCards = [];
      expect(await test({})).toEqual([expect.stringContaining("permission Phone")]);
      await expect(test({ sim: "1" })).rejects.toThrow("permission Phone");
      phone.knobs.simCards = [{ simNumber: 1 }];
      phone.knobs.failedCheck = "battery:level";
      expect(await test({})).toEqual(["The phone reports: Battery level in percent."]);
      phone.knobs.version = "1.66.1";
      await expect(test({})).rejects.toThrow("update it to 1.70.1");
      phone.knobs.version = "1.73.0";
      await expect(test({ mms: "on" })).rejects.toThrow("update it to 1.74.0");
    } finally {
      await phone.close();
    }
  });
});

describe("the line", () => {
  test("is up with a phone whose health is 500, because it answers and sends", () =>
    bench.withPhone(
      async (_, cursor) => {
        expect(JSON.parse(cursor).isUp).toBe(true);
      },
      {},
      (phone) => {
        phone.knobs.failedCheck = "messages:failed";
      },
    ));

  test("is up only when the phone sends the oldest message first, also after someone changed it", () =>
    bench.withPhone(async (phone, cursor) => {
      expect(phone.queue.settings.order).toBe("FIFO");
      phone.queue.hold();
      const texts = ["first", "second", "third"];
      const to = bench.newPerson();
      for (const value of texts) await bench.send(bench.outbound(to, [text(value)]));
      phone.queue.release();
      expect(phone.queue.sent.map((sent) => sent.text)).toEqual(texts);
      phone.queue.settings.order = "LIFO";
      bench.advance(601);
      await bench.read(cursor);
      expect(phone.queue.settings.order).toBe("FIFO");
    }));

  test("is down with its reason while the phone is gone, asleep, or refuses the password, and then up", () =>
    bench.withPhone(async (phone, cursor) => {
      phone.knobs.loses = () => true;
      const lost = await bench.read(cursor);
      expect(lost.events).toMatchObject([{ type: "line", up: false, reason: /did not respond/ }]);
      phone.knobs.loses = () => false;
      const up = await bench.read(lost.cursor);
      expect(up.events).toMatchObject([{ type: "line", up: true }]);
      const known = bench.connection();
      bench.connect({ ...known, password: "changed" });
      const refused = await bench.read(up.cursor);
      expect(refused.events).toMatchObject([{ type: "line", up: false, reason: /password/ }]);
      bench.connect(known);
      const { events } = await bench.read(refused.cursor, { ...bench.line, isUp: false });
      expect(events).toMatchObject([{ type: "line", up: true }]);
    }));

  test("what Android received while SMSGate was not running is read after the silence, once", () =>
    bench.withPhone(async (phone, first) => {
      phone.write("+12025550101", "before", { at: ago(1) });
      const { cursor } = await bench.read(first);
      bench.advance(1800);
      phone.write("+12025550101", "missed", { isMissed: true, at: ago(900) });
      phone.write("+12025550101", "seen", { at: ago(1) });
      const page = await bench.read(cursor);
      expect(textsOf(page)).toEqual(["missed", "seen"]);
      expect(phone.requests.filter((request) => request === "POST /inbox/refresh")).toHaveLength(1);
      expect((await bench.read(page.cursor)).events).toEqual([]);
    }));

  test("a refresh whose answer is lost keeps the line up, and is repeated after ten minutes, in parts of six hours", () =>
    bench.withPhone(async (phone, first) => {
      bench.advance(12 * 3600);
      const { cursor } = await bench.read(first);
      phone.requests.length = 0;
      phone.knobs.drops = (_, path) => path === "/inbox/refresh";
      bench.advance(3600);
      phone.write("+12025550101", "missed", { isMissed: true, at: ago(1800) });
      phone.write("+12025550101", "seen", { at: ago(1) });
      let page = await bench.read(cursor);
      expect(page.events).toMatchObject([{ type: "message", parts: [{ value: "seen" }] }]);
      expect(JSON.parse(page.cursor)).toMatchObject({ isUp: true, readAt: now().getTime() });
      page = await bench.read(page.cursor);
      expect(page.events).toEqual([]);
      expect(refreshesOf(phone)).toBe(1);
      phone.knobs.drops = () => false;
      bench.advance(601);
      const refreshed: { since: number; until: number }[] = [];
      const refresh = phone.inbox.refresh;
      phone.inbox.refresh = (since, until) => {
        refreshed.push({ since, until });
        refresh(since, until);
      };
      page = await bench.read(page.cursor);
      expect(textsOf(page)).toEqual(["missed"]);
      for (let polls = 0; polls < 6; polls++) {
        bench.advance(5);
        page = await bench.read(page.cursor);
        expect(page.events).toEqual([]);
      }
      const spans = refreshed.map(({ since, until }) => Math.min(until, now().getTime()) - since);
      expect(refreshed.length).toBeGreaterThan(1);
      expect(Math.max(...spans)).toBeLessThanOrEqual(6 * 3_600_000 + 60_000);
      expect(JSON.parse(page.cursor).gap).toBeNull();
    }));

  test.each([
    ["refused", { mayReadSms: false }],
    ["lost", { drops: (_: string, path: string) => path === "/inbox/refresh" }],
  ])("a silence whose refresh is %s stays open until a refresh succeeds", (_, trouble) =>
    bench.withPhone(async (phone, cursor) => {
      Object.assign(phone.knobs, trouble);
      bench.advance(1800);
      phone.write("+12025550101", "missed", { isMissed: true, at: ago(900) });
      let page = await bench.read(cursor);
      expect(page.events).toEqual([]);
      phone.knobs.mayReadSms = true;
      phone.knobs.drops = () => false;
      for (let polls = 0; polls < 25; polls++) {
        bench.advance(30);
        page = await bench.read(page.cursor);
        if (page.events.length > 0) break;
      }
      expect(textsOf(page)).toEqual(["missed"]);
    }),
  );

  test("what Android received while one poll failed is read again", () =>
    bench.withPhone(async (phone, first) => {
      phone.knobs.drops = () => true;
      const { cursor } = await bench.read(first);
      phone.knobs.drops = () => false;
      bench.advance(5);
      phone.write("+12025550101", "missed", { isMissed: true, at: ago(3) });
      expect(textsOf(await bench.read(cursor))).toEqual(["missed"]);
    }));

  test("an answer without an end takes the line down, and is not kept in memory", () =>
    bench.withPhone(async (phone, cursor) => {
      phone.knobs.floods = (path) => path === "/inbox";
      expect((await bench.read(cursor)).events).toMatchObject([
        { type: "line", up: false, reason: /larger than 8 MB/ },
      ]);
    }));

  test("a restored backup, which has the id of the phone, is another installation", () =>
    bench.withPhone(async (phone, cursor) => {
      phone.knobs.installedAt = "2026-01-02T02:04:05.678+01:00";
      bench.advance(601);
      const same = await bench.read(cursor);
      expect(same.events).toEqual([]);
      phone.knobs.installedAt = "2026-11-28T11:00:00.000Z";
      bench.advance(601);
      const page = await bench.read(same.cursor);
      expect(page.events).toMatchObject([{ type: "line", up: false, reason: /new installation/ }]);
      expect(await bench.outcome(bench.outbound("+12025550101").id)).toEqual({ state: "unknown" });
    }));

  describe.each([
    ["the same phone", {}, {}, ["earlier", "lately"]],
    ["another phone", { deviceId: "another phone" }, {}, ["lately"]],
    ["a new installation", { installedAt: "2026-11-28T11:00:00.000Z" }, {}, ["lately"]],
    ["another SIM card", {}, { sim: "2" }, ["lately"]],
  ])("connected again with %s", (_, change, settings, expected) => {
    test.each(["127.0.0.1", "localhost"])(`at http://%s, reads ${expected.join(" and ")}`, (host) =>
      bench.withPhone(
        async (phone, cursor) => {
          bench.advance(1800);
          phone.write("+12025550101", "earlier", { simNumber: null, at: ago(1500) });
          phone.write("+12025550101", "lately", { simNumber: null, at: ago(5) });
          Object.assign(phone.knobs, change, { drops: () => true });
          const base_url = `http://${host}:${phone.port}`;
          bench.connect({ ...phone.connection, base_url, sim: "1", ...settings });
          const down = await bench.read(cursor);
          phone.knobs.drops = () => false;
          const page = await bench.read(down.cursor);
          expect(textsOf(page)).toEqual(expected);
          // The process ends before it stores the cursor.
          expect(textsOf(await bench.read(down.cursor))).toEqual(expected);
          expect((await bench.read(page.cursor)).events).toEqual([]);
        },
        { sim: "1" },
      ),
    );
  });

  test("a cursor of an earlier version, which names no phone, is that of the phone in the settings", () =>
    bench.withPhone(async (phone, cursor) => {
      const { phone: _, ...unnamed } = JSON.parse(cursor);
      bench.advance(1800);
      phone.write("+12025550101", "earlier", { at: ago(1500) });
      phone.write("+12025550101", "lately", { at: ago(5) });
      const page = await bench.read(JSON.stringify(unnamed));
      expect(textsOf(page)).toEqual(["earlier", "lately"]);
      expect(JSON.parse(page.cursor).phone).toEqual(JSON.parse(cursor).phone);
      bench.connect(phone.connection);
      expect(textsOf(await bench.read(JSON.stringify(unnamed)))).toEqual(["lately"]);
    }));

  test("a phone on which SMSGate may not read SMS is polled as well", () =>
    bench.withPhone(async (phone, cursor) => {
      phone.knobs.mayReadSms = false;
      bench.advance(1800);
      phone.write("+12025550101", "hello");
      expect(textsOf(await bench.read(cursor))).toEqual(["hello"]);
    }));
});

describe("MMS", () => {
  const file = (filename: string, sizeBytes: number): OutMedia => ({
    type: "media",
    attachmentId: filename,
    filename,
    mimeType: "image/jpeg",
    sizeBytes,
    sticker: false,
    open: async () =>
      (async function* () {
        yield new Uint8Array(sizeBytes).fill(7);
      })(),
  });

  test("files are refused while it is off, and sent when it is on, as many MMS as they need", async () => {
    const to = bench.newPerson();
    const parts = [text("our menu"), file("a.jpg", 400_000), file("b.jpg", 400_000), file("c.jpg", 400_000)];
    await bench.withPhone(async () => {
      await expect(bench.send(bench.outbound(to, parts))).rejects.toMatchObject({ kind: "unsupported" });
    });
    await bench.withPhone(
      async (phone) => {
        const message = bench.outbound(to, parts);
        const { refs } = await bench.send(message);
        expect(refs).toEqual([earlierUnitId(message.id, 0), message.id]);
        await settled();
        expect(phone.queue.sent).toMatchObject([
          { text: "our menu", files: [{ name: "a.jpg" }, { name: "b.jpg" }] },
          { text: "", files: [{ name: "c.jpg", contentType: "image/jpeg" }] },
        ]);
        expect(Buffer.from(phone.queue.sent[1]?.files[0]?.data ?? "", "base64")).toHaveLength(400_000);
        const large = bench.outbound(to, [file("film.mp4", 1_000_001)]);
        await expect(bench.send(large)).rejects.toMatchObject({ kind: "rejected" });
      },
      { mms: "on" },
    );
  });

  test("an MMS comes with its text and its files, and its announcement and binary SMS are nothing", () =>
    bench.withPhone(async (phone, cursor) => {
      const bytes = Buffer.from("a picture");
      const files = [
        { name: "cat.jpg", contentType: "image/jpeg", bytes },
        { name: "gone.jpg", contentType: "image/jpeg", bytes: null, size: 5 },
        { name: "film.mp4", contentType: "video/mp4", bytes: Buffer.alloc(10_000_001) },
      ];
      phone.write("+12025550101", "a subject", { type: "MMS", at: ago(9) });
      phone.write("+12025550101", "0a0b", { type: "DATA_SMS", at: ago(8) });
      phone.write("+12025550101/TYPE=PLMN", "look", { type: "MMS_DOWNLOADED", files, at: ago(7) });
      phone.write("+12025550101", "MMS content", {
        type: "MMS_DOWNLOADED",
        files: files.slice(0, 1),
        at: ago(6),
      });
      const early = await bench.read(cursor);
      expect(early.events).toEqual([]);
      const page = await bench.read(early.cursor);
      expect(textsOf(page)).toEqual(["look,media,media,media", "media"]);
      const [message] = messagesOf(page);
      expect(message?.from).toBe("+12025550101");
      expect(message?.parts[1]).toMatchObject({ filename: "cat.jpg", sizeBytes: 9 });
      const media = message?.parts.flatMap((part) => (part.type === "media" ? part : [])) ?? [];
      const contents = await Promise.allSettled(media.map(async (part) => collect(await part.open())));
      expect(contents).toMatchObject([
        { status: "fulfilled", value: bytes },
        { status: "rejected", reason: { kind: "rejected" } },
        { status: "rejected", reason: { kind: "rejected", message: /10 MB/ } },
      ]);
      const again = await androidTransport.openFile?.(
        bench.line,
        bench.connection(),
        media[0]?.source ?? "",
        AbortSignal.timeout(5000),
      );
      expect(await collect(again ?? expect.fail())).toEqual(bytes);
    }));

  test("an MMS whose files the phone still writes is read when they are complete", () =>
    bench.withPhone(async (phone, first) => {
      const file = (size: number) => ({
        name: "cat.jpg",
        contentType: "image/jpeg",
        bytes: Buffer.alloc(size),
      });
      const id = phone.write("+12025550101", "MMS content", { type: "MMS_DOWNLOADED" });
      let page = await bench.read(first);
      for (const size of [null, 100, 900]) {
        if (size !== null) phone.inbox.setFiles(id, [file(size)]);
        bench.advance(5);
        page = await bench.read(page.cursor);
        expect(page.events).toEqual([]);
      }
      // Newer messages are not held back.
      phone.write("+12025550101", "newer");
      page = await bench.read(page.cursor);
      expect(messagesOf(page)).toMatchObject([
        { parts: [{ type: "media", sizeBytes: 900 }] },
        { parts: [{ value: "newer" }] },
      ]);
      expect((await bench.read(page.cursor)).events).toEqual([]);
    }));

  test("an MMS whose files never come is read after a minute", () =>
    bench.withPhone(async (phone, first) => {
      phone.write("+12025550101", "MMS content", { type: "MMS_DOWNLOADED" });
      const { cursor } = await bench.read(first);
      bench.advance(61);
      const page = await bench.read(cursor);
      expect(textsOf(page)).toEqual(["MMS content"]);
      expect((await bench.read(page.cursor)).events).toEqual([]);
    }));

  async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const all: Uint8Array[] = [];
    for await (const chunk of chunks) all.push(chunk);
    return Buffer.concat(all);
  }
});

test("events of one poll: the line first, then receipts, then messages", () =>
  bench.withPhone(async (phone, first) => {
    phone.knobs.loses = () => true;
    const { cursor } = await bench.read(first);
    phone.knobs.loses = () => false;
    await bench.send(bench.outbound(bench.newPerson()));
    await settled();
    phone.write("+12025550101", "hello");
    const types = (await bench.read(cursor)).events.map(({ type }: InEvent) => type);
    expect(types).toEqual(["line", "delivered", "message"]);
  }));

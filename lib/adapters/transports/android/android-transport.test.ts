import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { androidTransport } from "@/lib/adapters/transports/android/android-transport";
import { earlierUnitId, fromPhoneId, toPhoneId } from "@/lib/adapters/transports/android/android-units";
import { describeTransport } from "@/lib/adapters/transports/conformance";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Sink } from "@/lib/adapters/transports/sink";
import type { Running } from "@/lib/adapters/transports/transport";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { createAndroidBench, settled, text } from "@/lib/testing/vendors/android-bench";
import { type FakeAndroid, startFakeAndroid } from "@/lib/testing/vendors/fake-android";

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1";

let bench: ReturnType<typeof createAndroidBench>;
/** The phone's id of a unit of the line. */
const onPhone = (ref = "") => toPhoneId(ref, bench.line.id);

beforeAll(() => {
  bench = createAndroidBench();
});
afterAll(() => bench.close());

describe("conformance", () => {
  let phone: FakeAndroid;
  let cursor: string | null = null;

  beforeAll(async () => {
    phone = await startFakeAndroid();
    bench.connect(phone.connection);
    cursor = (await bench.read(null)).cursor;
  });
  afterAll(() => phone.close());

  /** Polls from where the last listener stopped, as the worker does. */
  function listen(sink: Sink): Running {
    let isStopped = false;
    const running = (async () => {
      while (!isStopped) {
        const page = await bench.read(cursor);
        await sink.receive(bench.line, page.events).then(
          () => {
            cursor = page.cursor;
          },
          () => undefined,
        );
      }
    })();
    return {
      async stop() {
        isStopped = true;
        await running;
      },
    };
  }

  describeTransport(() => ({
    transport: androidTransport,
    line: bench.line,
    service: "SMS",
    reportsReads: false,
    async recipient(behavior) {
      const handle = bench.newPerson();
      phone.behave(handle, behavior);
      return handle;
    },
    arrived: async (handle) =>
      phone.queue
        .all()
        .flatMap(({ to, id }) => (to === handle ? (fromPhoneId(id, bench.line.id) ?? expect.fail()) : [])),
    read: async () => expect.fail(),
    newMessageId: () => newId(now().getTime()),
    listen,
    polls: {
      connection: bench.connection(),
      async happen(count) {
        for (let times = 0; times < count; times++) phone.write(bench.newPerson(), `message ${times}`);
      },
    },
  }));
});

describe("states move only forward", () => {
  test("a late Sent does not hide a Delivered, neither before nor after the poll (issue 424)", () =>
    bench.withPhone(async (fake, first) => {
      const to = bench.newPerson();
      fake.behave(to, { reports: ["Sent", "Delivered", "Sent"] });
      const { refs } = await bench.send(bench.outbound(to));
      await settled();
      expect(fake.queue.find(onPhone(refs[0]))?.state).toBe("Sent");
      const page = await bench.read(first);
      expect(page.events).toMatchObject([{ type: "delivered", ref: refs[0] }]);
      fake.queue.report(onPhone(refs[0]), "Sent");
      expect((await bench.read(page.cursor)).events).toEqual([]);
    }));

  test("Delivered without Sent, and once per part, is one receipt (issues 403 and 264)", () =>
    bench.withPhone(async (fake, first) => {
      const to = bench.newPerson();
      fake.behave(to, { reports: ["Delivered", "Delivered", "Delivered"] });
      const { refs } = await bench.send(bench.outbound(to));
      await settled();
      const page = await bench.read(first);
      expect(page.events).toMatchObject([{ type: "delivered", ref: refs[0] }]);
      expect((await bench.read(page.cursor)).events).toEqual([]);
    }));

  test("a part that failed before the first receipt fails the message, whatever its other parts report", () =>
    bench.withPhone(async (fake, first) => {
      const to = bench.newPerson();
      const error = "Send result: RESULT_ERROR_GENERIC_FAILURE (Generic failure cause)";
      fake.behave(to, { reports: ["Sent", "Failed", "Delivered"], error });
      await bench.send(bench.outbound(to));
      await settled();
      const page = await bench.read(first);
      expect(page.events).toMatchObject([
        { type: "failed", error: { kind: "undeliverable", message: error } },
      ]);
      expect((await bench.read(page.cursor)).events).toEqual([]);
    }));

  test("a receipt that comes after other messages have left the newest page is asked for", () =>
    bench.withPhone(async (fake, first) => {
      const slow = bench.newPerson();
      fake.behave(slow, { reports: ["Sent"] });
      const { refs } = await bench.send(bench.outbound(slow));
      await settled();
      let { cursor } = await bench.read(first);
      for (let count = 0; count < 60; count++) await bench.send(bench.outbound(bench.newPerson()));
      await settled();
      const others = await bench.read(cursor);
      expect(others.events).toHaveLength(60);
      cursor = others.cursor;
      fake.queue.report(onPhone(refs[0]), "Delivered");
      const events: InEvent[] = [];
      for (let polls = 0; polls < 3; polls++) {
        bench.advance(120);
        const page = await bench.read(cursor);
        events.push(...page.events);
        cursor = page.cursor;
      }
      expect(events).toMatchObject([{ type: "delivered", ref: refs[0] }]);
    }));

  test("a message that the phone never begins to send is canceled after its time, and fails (issues 234 and 330)", () =>
    bench.withPhone(async (fake, first) => {
      const to = bench.newPerson();
      fake.behave(to, { isStuck: true });
      const { refs } = await bench.send(bench.outbound(to));
      const early = await bench.read(first);
      expect(early.events).toEqual([]);
      bench.advance(3600 + 240);
      const waiting = await bench.read(early.cursor);
      expect(waiting.events).toEqual([]);
      bench.advance(120);
      const page = await bench.read(waiting.cursor);
      const ended = [...page.events, ...(await bench.read(page.cursor)).events];
      expect(ended).toMatchObject([{ type: "failed", ref: refs[0], error: { kind: "undeliverable" } }]);
      fake.queue.release();
      expect(fake.queue.sent).toEqual([]);
    }));

  test("a message that waits longer than its time on the phone is failed by the phone, and not sent late", () =>
    bench.withPhone(
      async (fake, first) => {
        fake.queue.hold();
        const { refs } = await bench.send(bench.outbound(bench.newPerson()));
        bench.advance(61);
        fake.queue.release();
        const page = await bench.read(first);
        expect(page.events).toMatchObject([
          { type: "failed", ref: refs[0], error: { message: "TTL expired" } },
        ]);
        expect(fake.queue.sent).toEqual([]);
      },
      { ttl: "60" },
    ));

  test("a message that the phone sent although it was canceled is no failure", () =>
    bench.withPhone(async (fake, first) => {
      const to = bench.newPerson();
      fake.behave(to, { reports: [] });
      const { refs } = await bench.send(bench.outbound(to));
      await settled();
      for (const state of ["Cancelled", "Sent"] as const) fake.queue.report(onPhone(refs[0]), state);
      const page = await bench.read(first);
      expect(page.events).toEqual([]);
      fake.queue.report(onPhone(refs[0]), "Delivered");
      expect((await bench.read(page.cursor)).events).toMatchObject([{ type: "delivered", ref: refs[0] }]);
    }));

  test("messages of another line on the same phone are neither reported nor canceled", () =>
    bench.withPhone(
      async (fake, first) => {
        const other = { ...bench.line, id: newId(now().getTime()) };
        const [stuck, sent] = [bench.newPerson(), bench.newPerson()];
        fake.behave(stuck, { isStuck: true });
        for (const to of [stuck, sent]) await bench.send({ ...bench.outbound(to), line: other });
        await settled();
        let page = await bench.read(first);
        expect(page.events).toEqual([]);
        bench.advance(3600);
        page = await bench.read(page.cursor);
        expect(page.events).toEqual([]);
        expect(fake.requests.filter((request) => request.startsWith("DELETE"))).toEqual([]);
        const theirs = await bench.read(null, other);
        expect(theirs.events).toMatchObject([{ type: "line" }, { type: "delivered" }]);
      },
      { ttl: "60" },
    ));

  test("many messages of other lines cost a poll no more requests, once they were seen", () =>
    bench.withPhone(async (fake, first) => {
      const other = { ...bench.line, id: newId(now().getTime()) };
      for (let count = 0; count < 120; count++) {
        await bench.send({ ...bench.outbound(bench.newPerson()), line: other });
      }
      const { cursor } = await bench.read(first);
      fake.requests.length = 0;
      await bench.read(cursor);
      expect(fake.requests.filter((request) => request.startsWith("GET /messages"))).toHaveLength(1);
    }));

  test("a message that the phone took while its clock was behind ends, although no list shows it", () =>
    bench.withPhone(async (fake, first) => {
      await bench.send(bench.outbound(bench.newPerson()));
      await settled();
      const { cursor } = await bench.read(first);
      const { refs } = await bench.send(bench.outbound(bench.newPerson()));
      for (let count = 0; count < 49; count++) await bench.send(bench.outbound(bench.newPerson()));
      await settled();
      const hidden = fake.queue.find(onPhone(refs[0])) ?? expect.fail();
      hidden.createdAt -= 86_400_000;
      let page = await bench.read(cursor);
      expect(page.events).toHaveLength(49);
      bench.advance(601);
      page = await bench.read(page.cursor);
      expect(page.events).toMatchObject([{ type: "delivered", ref: refs[0] }]);
    }));

  test.each([
    ["Send result: RESULT_ERROR_NO_SERVICE (…)", "line_down"],
    ["Send result: RESULT_ERROR_RADIO_OFF (…)", "line_down"],
    ["Can't send message: No SIMs found", "line_down"],
    ["Send result: RESULT_NO_DEFAULT_SMS_APP (…)", "line_down"],
    ["Send result: RESULT_ERROR_LIMIT_EXCEEDED (…)", "rate_limited"],
    ["Send result: RESULT_RIL_REQUEST_RATE_LIMITED (…)", "rate_limited"],
    ["Send result: RESULT_INVALID_ARGUMENTS (…)", "rejected"],
    ["Can't send message: Invalid phone number", "rejected"],
    ["Delivery result: 2", "undeliverable"],
    ["Send result: RESULT_ERROR_GENERIC_FAILURE (…)", "undeliverable"],
  ] as const)("%s is %s", (error, kind) =>
    bench.withPhone(async (fake, first) => {
      const to = bench.newPerson();
      fake.behave(to, { reports: ["Failed"], error });
      await bench.send(bench.outbound(to));
      await settled();
      expect((await bench.read(first)).events).toMatchObject([
        { type: "failed", error: { kind, message: error } },
      ]);
    }),
  );

  test("messages of other programs on the same phone are no events", () =>
    bench.withPhone(async (fake, first) => {
      const body = JSON.stringify({
        id: "W7kjvmxFa9KzO4TKuBF8G",
        phoneNumbers: ["+15550100199"],
        textMessage: { text: "x" },
      });
      const authorization = `Basic ${Buffer.from(`sms:${fake.password}`).toString("base64")}`;
      const url = `${fake.url}/messages?skipPhoneValidation=true`;
      expect((await fetch(url, { method: "POST", body, headers: { authorization } })).status).toBe(202);
      await settled();
      expect((await bench.read(first)).events).toEqual([]);
    }));
});

describe("a message is one message", () => {
  test("a repeat is refused with 409, which is the acceptance of the first", () =>
    bench.withPhone(async (fake) => {
      const message = bench.outbound(bench.newPerson());
      expect(await bench.send(message)).toEqual(await bench.send(message));
      await settled();
      expect(fake.queue.sent).toHaveLength(1);
      expect(fake.requests.filter((request) => request.startsWith("POST /messages"))).toHaveLength(2);
    }));

  test("409 for another reason is no acceptance (issue 422)", () =>
    bench.withPhone(async (fake) => {
      fake.knobs.conflicts = true;
      const message = bench.outbound(bench.newPerson());
      await expect(bench.send(message)).rejects.toMatchObject({
        kind: "rejected",
        message: /same ID already exists/,
      });
      expect(await bench.outcome(message.id)).toEqual({ state: "absent" });
    }));

  test("an answer that is lost, and 500 after the phone took the message, are found out", () =>
    bench.withPhone(async (fake) => {
      const to = bench.newPerson();
      fake.behave(to, "lost_answer");
      const message = bench.outbound(to);
      await expect(bench.send(message)).rejects.toMatchObject({ kind: "unknown_outcome" });
      expect(await bench.outcome(message.id)).toMatchObject({
        state: "accepted",
        accepted: { refs: [message.id], service: "SMS" },
      });
    }));

  test("a send whose request may still arrive is repeatable, and absent a minute later", () =>
    bench.withPhone(async (fake) => {
      const to = bench.newPerson();
      fake.behave(to, "lost_send");
      const message = bench.outbound(to);
      await expect(bench.send(message)).rejects.toMatchObject({ kind: "unknown_outcome" });
      expect(await bench.outcome(message.id)).toEqual({ state: "repeatable" });
      bench.advance(60);
      expect(await bench.outcome(message.id)).toEqual({ state: "absent" });
    }));

  test("while the phone can't be asked, a send is repeatable and the line is down", () =>
    bench.withPhone(async (fake) => {
      const message = bench.outbound(bench.newPerson());
      await bench.send(message);
      await fake.close();
      bench.reported.length = 0;
      expect(await bench.outcome(message.id)).toEqual({ state: "repeatable" });
      expect(bench.reported).toMatchObject([{ type: "line", up: false }]);
      await expect(bench.send(message)).rejects.toMatchObject({ kind: "line_down" });
    }));

  test("a new installation of SMSGate does not know what the earlier one sent: the outcome is unknown, never absent", () =>
    bench.withPhone(async (fake, first) => {
      const message = bench.outbound(bench.newPerson());
      await bench.send(message);
      fake.queue.forget();
      fake.knobs.deviceId = "another";
      expect(await bench.outcome(message.id)).toEqual({ state: "unknown" });
      await expect(bench.send(bench.outbound(bench.newPerson()))).rejects.toMatchObject({
        kind: "line_down",
      });
      const page = await bench.read(first);
      expect(page.events).toMatchObject([{ type: "line", up: false, reason: /new installation/ }]);
      expect(fake.queue.all()).toEqual([]);
      fake.knobs.deviceId = bench.connection().device_id ?? expect.fail();
      expect((await bench.read(page.cursor)).events).toMatchObject([{ type: "line", up: true }]);
    }));

  test("goes to one number, without the phone's own rules of numbers (issues 223 and 431)", () =>
    bench.withPhone(async (fake, first) => {
      await bench.send(bench.outbound("+8615600000000"));
      await settled();
      expect(fake.queue.sent.map(({ to }) => to)).toEqual(["+8615600000000"]);
      expect((await bench.read(first)).events).toMatchObject([{ type: "delivered" }]);
    }));

  test("a text of more than eight parts is several messages, in order, and a repeat continues them (issue 270)", () =>
    bench.withPhone(async (fake) => {
      const to = bench.newPerson();
      const message = bench.outbound(to, [text(`${"ж".repeat(1000)}👨‍👩‍👧‍👦${"x".repeat(600)}`)]);
      fake.behave(to, "lost_answer");
      await expect(bench.send(message)).rejects.toMatchObject({ kind: "unknown_outcome" });
      expect(await bench.outcome(message.id)).toEqual({ state: "repeatable" });
      fake.behave(to, "answers");
      const { refs } = await bench.send(message);
      expect(refs).toEqual([0, 1, 2].map((index) => earlierUnitId(message.id, index)).concat(message.id));
      await settled();
      expect(fake.queue.sent.map(({ text: part }) => part).join("")).toBe(
        `${"ж".repeat(1000)}👨‍👩‍👧‍👦${"x".repeat(600)}`,
      );
      expect(fake.queue.sent.map(({ id }) => id)).toEqual(refs.map(onPhone));
      expect(await bench.outcome(message.id)).toEqual({
        state: "accepted",
        accepted: { refs, groupRef: null, service: "SMS" },
      });
    }));

  test("the ids of earlier units are UUIDs of version 5", () => {
    // RFC 9562, A.4: www.example.com in the namespace of DNS has this form.
    const id = earlierUnitId("6ba7b810-9dad-11d1-80b4-00c04fd430c8", 0);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(earlierUnitId("6ba7b810-9dad-11d1-80b4-00c04fd430c8", 1)).not.toBe(id);
  });
});

import "@/lib/testing/use-test-database";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Bench, describeTransport, type PeerBehavior } from "@/lib/adapters/transports/conformance";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { Outbound } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { FaultName } from "@/lib/adapters/transports/simulator/faults";
import { startReporting } from "@/lib/adapters/transports/simulator/report-receipts";
import { simulator } from "@/lib/adapters/transports/simulator/simulator";
import type { Running } from "@/lib/adapters/transports/transport";
import { sql } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone } from "@/lib/testing/factories";
import { lineOf } from "@/lib/testing/line-of";

const FAULTS = {
  answers: null,
  rejects: "rejected",
  line_down: "line_down",
  lost_answer: "lost_answer",
  lost_send: "lost_send",
  slow_answer: "slow_answer",
} as const satisfies Record<PeerBehavior, FaultName | null>;

let account: TestAccount;
let line: LineRef;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  line = await lineOf(account);
});

const bench = (): Bench => ({
  transport: simulator,
  line,
  // A phone without a delay reports with the acceptance.
  recipient: (behaviour) => createTestPhone(account, { fault: FAULTS[behaviour], delay_ms: 1 }),
  async arrived(handle) {
    const rows = await sql.runText<{ ref: string }>({
      text: "select ref from simulator_messages where account_id = $1 and handle = $2 order by created_at, ref",
      values: [account.ref.id, handle],
    });
    return rows.map((row) => row.ref);
  },
  read: (handle) => makeDue(handle, "read"),
  reportAgain: (handle) => makeDue(handle, "delivered"),
  newMessageId: () => newId(Date.now()),
});

async function makeDue(handle: string, pending_receipt: "delivered" | "read"): Promise<void> {
  // Does the same as POST /simulator/phones/{handle}/read, once earlier receipts were reported and stored.
  await expect
    .poll(async () => {
      const rows = await sql.runText<{ ref: string }>({
        text: `update simulator_messages set pending_receipt = $3, due_at = now()
               where account_id = $1 and handle = $2 and delivered_at is not null and due_at is null returning ref`,
        values: [account.ref.id, handle, pending_receipt],
      });
      return rows.length;
    })
    .toBeGreaterThan(0);
  sql.wake("simulator");
}

describe("simulator", () => {
  describeTransport(bench);

  test.each([
    ["iphone", ["yes", "no"]],
    ["android_rcs", ["no", "yes"]],
    ["sms_only", ["no", "no"]],
  ] as const)("%s: iMessage and RCS are %j", async (platform, expected) => {
    const handle = await createTestPhone(account, { platform });
    const services = ["iMessage", "RCS"] as const;
    const capabilities = await Promise.all(services.map((service) => simulator.probe(line, handle, service)));
    expect(capabilities).toEqual(expected);
  });

  test("a number without a phone takes SMS and never answers", async () => {
    expect(await simulator.probe(line, "+15559999999", "iMessage")).toBe("no");
    const message = {
      id: newId(Date.now()),
      line,
      service: "SMS" as const,
      to: ["+15559999999"],
      group: null,
      parts: [],
      effect: null,
      replyTo: null,
    };
    await simulator.send(message, AbortSignal.timeout(1000));
    const [row] = await sql.runText<{ due_at: Date | null }>({
      text: "select due_at from simulator_messages where account_id = $1 and ref = $2",
      values: [account.ref.id, message.id],
    });
    expect(row).toEqual({ due_at: null });
  });

  test("a faulty phone in a group misses the message; the others get it", async () => {
    const faulty = await createTestPhone(account, { fault: "rejected" });
    const well = await createTestPhone(account);
    const id = newId(Date.now());
    const message = { id, line, service: "SMS" as const, parts: [], effect: null, replyTo: null };
    const group = { chatId: newId(Date.now()), ref: null };
    await simulator.send({ ...message, to: [faulty, well], group }, AbortSignal.timeout(1000));
    expect(await bench().arrived(faulty)).toEqual([]);
    expect(await bench().arrived(well)).toEqual([id]);
  });

  describe("a phone without a delay", () => {
    let reporting: Running;
    const reported: InEvent[] = [];
    beforeEach(() => {
      reporting = startReporting({
        receive: async (_, events) => void reported.push(...events),
      });
    });
    afterEach(async () => {
      await reporting.stop();
      reported.length = 0;
    });

    // The reporter also reports for the phones of earlier tests.
    function typesOf(message: Outbound): string[] {
      return reported.flatMap((event) => ("ref" in event && event.ref === message.id ? [event.type] : []));
    }

    function textTo(to: string): Outbound {
      const id = newId(Date.now());
      return { id, line, service: "iMessage", to: [to], group: null, parts: [], effect: null, replyTo: null };
    }

    async function rowOf({ id }: Outbound) {
      const [row] = await sql.runText<{
        pending_receipt: string | null;
        has_due: boolean;
        has_arrived: boolean;
      }>({
        text: `select pending_receipt, due_at is not null as has_due, delivered_at is not null as has_arrived
               from simulator_messages where account_id = $1 and ref = $2`,
        values: [account.ref.id, id],
      });
      return row;
    }

    test("has the message when it is accepted, and after a lost answer it still has it", async () => {
      const message = textTo(await createTestPhone(account));
      const accepted = await simulator.send(message, AbortSignal.timeout(1000));
      expect(accepted.isDelivered).toBe(true);
      expect(await rowOf(message)).toEqual({ pending_receipt: null, has_due: false, has_arrived: true });

      const outcome = await simulator.outcome(line, message.id);
      expect(outcome).toMatchObject({ state: "accepted", accepted: { isDelivered: true } });
      expect(typesOf(message)).toEqual([]);
    });

    test("still reads it later", async () => {
      const message = textTo(await createTestPhone(account, { read_after_ms: 1 }));
      expect((await simulator.send(message, AbortSignal.timeout(1000))).isDelivered).toBe(true);
      await expect.poll(() => typesOf(message)).toEqual(["read"]);
    });

    test.each([
      ["a delay", { delay_ms: 60_000 }],
      ["a fault", { fault: "undeliverable" as const }],
    ])("with %s has it later", async (_, more) => {
      const message = textTo(await createTestPhone(account, more));
      const accepted = await simulator.send(message, AbortSignal.timeout(1000));
      expect(accepted.isDelivered).toBe(false);
      const outcome = await simulator.outcome(line, message.id);
      expect(outcome).toMatchObject({ accepted: { isDelivered: false } });
    });

    test("reports later when this process does not report", async () => {
      await reporting.stop();
      const message = textTo(await createTestPhone(account));
      expect((await simulator.send(message, AbortSignal.timeout(1000))).isDelivered).toBe(false);
      expect(await rowOf(message)).toMatchObject({ pending_receipt: "delivered", has_due: true });
      reporting = startReporting({ receive: async (_, events) => void reported.push(...events) });
      await expect.poll(() => typesOf(message)).toEqual(["delivered"]);
    });
  });
});

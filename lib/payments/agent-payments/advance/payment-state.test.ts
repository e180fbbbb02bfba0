import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isCardPending,
  isEnded,
  nextPaymentStatus,
  PAYMENT_STATUSES,
  type PaymentTrigger,
  statusesMovedBy,
} from "@/lib/payments/agent-payments/advance/payment-state";
import { nextStep, type PaymentProgress } from "@/lib/payments/agent-payments/advance/payment-step";
import { minorUnits } from "@/lib/platform/text/money";

const TRIGGERS = [
  "unconnected",
  "code_sent",
  "customer_must_act",
  "minted",
  "authorized",
  "captured",
  "declined",
  "canceled",
  "idle",
] as const satisfies readonly PaymentTrigger[];

const status = fc.constantFrom(...PAYMENT_STATUSES);
const trigger = fc.constantFrom(...TRIGGERS);
const walk = (from: (typeof PAYMENT_STATUSES)[number], triggers: readonly PaymentTrigger[]) =>
  triggers.reduce(nextPaymentStatus, from);

describe("the state table", () => {
  test("no end is ever left", () => {
    fc.assert(
      fc.property(status, fc.array(trigger), (from, triggers) => {
        if (isEnded(from)) expect(walk(from, triggers)).toBe(from);
      }),
    );
    expect(PAYMENT_STATUSES.filter(isEnded)).toEqual(["succeeded", "declined", "canceled", "expired"]);
  });

  test("money moves only with a card, and a card is made once", () => {
    fc.assert(
      fc.property(fc.array(trigger), (triggers) => {
        const end = walk("needs_connection", triggers);
        if (!triggers.includes("minted"))
          expect(["authorized", "succeeded", "declined", "ready"]).not.toContain(end);
        const minted = triggers.indexOf("minted");
        const afterwards = minted === -1 ? [] : triggers.slice(minted + 1);
        const ready = walk("needs_connection", triggers.slice(0, minted + 1));
        if (ready === "ready") expect(isCardPending(walk(ready, afterwards))).toBe(false);
      }),
    );
  });

  test("any open payment can be canceled; one whose money is on its way does not expire", () => {
    for (const from of PAYMENT_STATUSES) {
      expect(nextPaymentStatus(from, "canceled")).toBe(isEnded(from) ? from : "canceled");
    }
    expect(nextPaymentStatus("authorized", "idle")).toBe("authorized");
  });

  test("property: statusesMovedBy has every status that a trigger changes", () => {
    fc.assert(
      fc.property(status, trigger, (from, on) => {
        if (nextPaymentStatus(from, on) !== from) expect(statusesMovedBy(on)).toContain(from);
      }),
    );
  });
});

describe("what a payment waits for", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const connection = fc.option(
    fc.record({
      status: fc.constantFrom("pending", "connected", "revoked"),
      codeExpiresAt: fc.option(fc.date({ noInvalidDate: true })),
      codeTries: fc.integer({ min: 0, max: 6 }),
      wasApproved: fc.boolean(),
    }),
  );
  const progress: fc.Arbitrary<PaymentProgress> = fc.record({
    connection,
    hasCard: fc.boolean(),
    hasPasskey: fc.boolean(),
  }) as fc.Arbitrary<PaymentProgress>;
  const asked = fc.record({
    amountMinor: fc.integer({ min: 1, max: 30_000 }).map((minor) => minorUnits(minor, "usd")),
    isApproved: fc.boolean(),
    approvalAboveMinor: fc.constant(minorUnits(10_000, "usd")),
    now: fc.constant(now),
  });

  test("a card is made only with consent, a card on file, and approval where it is needed", () => {
    fc.assert(
      fc.property(progress, asked, (where, what) => {
        const canMint =
          where.connection?.status === "connected" &&
          where.hasCard &&
          (what.isApproved || (where.connection.wasApproved && what.amountMinor <= what.approvalAboveMinor));
        expect(nextStep(where, what) === "mint").toBe(canMint);
      }),
    );
  });

  test("an approval is asked for only of who can give it", () => {
    fc.assert(
      fc.property(progress, asked, (where, what) => {
        if (nextStep(where, what) === "approve") expect(where.hasCard && where.hasPasskey).toBe(true);
      }),
    );
  });

  test("a code that has run out asks for another connection", () => {
    const pending = { status: "pending" as const, codeTries: 0, wasApproved: false };
    const on = {
      amountMinor: minorUnits(1, "usd"),
      isApproved: false,
      approvalAboveMinor: minorUnits(0, "usd"),
      now,
    };
    const step = (more: object) =>
      nextStep(
        { connection: { ...pending, codeExpiresAt: null, ...more }, hasCard: true, hasPasskey: true },
        on,
      );
    expect(step({ codeExpiresAt: new Date(now.getTime() + 1) })).toBe("wait_for_code");
    expect(step({ codeExpiresAt: now })).toBe("ask_for_connection");
    expect(step({ codeExpiresAt: new Date(now.getTime() + 1), codeTries: 5 })).toBe("ask_for_connection");
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DeliveryProgress,
  milestonesOf,
  nextStatus,
  type Trigger,
} from "@/lib/messaging/dispatch/delivery-status";
import { DeliveryStatus, ServiceType } from "@/lib/platform/prisma/enums";

const status = fc.constantFrom(...Object.values(DeliveryStatus));
const trigger = fc.constantFrom<Trigger>("held", "sent", "delivered", "read", "failed");
const details = fc.record<DeliveryProgress>({
  service: fc.option(fc.constantFrom(...Object.values(ServiceType))),
  isGroup: fc.boolean(),
  outcomeUnknown: fc.boolean(),
});

const DIRECT: DeliveryProgress = { service: "iMessage", isGroup: false, outcomeUnknown: false };
const RANK = { pending: 0, queued: 1, sent: 2, failed: 3, delivered: 4, read: 5, received: 6 };

describe("delivery status", () => {
  test("is total: every status answers every trigger with a status", () => {
    fc.assert(
      fc.property(status, trigger, details, (current, by, about) => {
        expect(Object.values(DeliveryStatus)).toContain(nextStatus(current, by, about));
      }),
    );
  });

  test("is idempotent: a repeated trigger changes nothing", () => {
    fc.assert(
      fc.property(status, trigger, details, (current, by, about) => {
        const once = nextStatus(current, by, about);
        expect(nextStatus(once, by, about)).toBe(once);
      }),
    );
  });

  test("never goes back, whatever comes in whatever order, except out of failed", () => {
    fc.assert(
      fc.property(status, fc.array(trigger), details, (start, triggers, about) => {
        let current = start;
        for (const by of triggers) {
          const next = nextStatus(current, by, about);
          if (current !== "failed") expect(RANK[next]).toBeGreaterThanOrEqual(RANK[current]);
          current = next;
        }
      }),
    );
  });

  test("an inbound message stays received", () => {
    fc.assert(fc.property(trigger, details, (by, about) => nextStatus("received", by, about) === "received"));
  });

  test("only iMessage and RCS direct chats are ever delivered or read", () => {
    const without = details.filter(
      ({ service, isGroup }) => isGroup || service === "SMS" || service === null,
    );
    fc.assert(
      fc.property(
        fc.constantFrom("pending", "queued", "sent", "failed"),
        fc.array(trigger),
        without,
        (start, triggers, about) => {
          const end = triggers.reduce<DeliveryStatus>((current, by) => nextStatus(current, by, about), start);
          expect(["delivered", "read"]).not.toContain(end);
        },
      ),
    );
  });

  test.each<[DeliveryStatus, Trigger, Partial<DeliveryProgress>, DeliveryStatus]>([
    ["sent", "delivered", { service: "RCS" }, "delivered"],
    ["delivered", "read", { service: "RCS" }, "read"],
    ["pending", "held", {}, "queued"],
    ["pending", "sent", {}, "sent"],
    ["pending", "failed", {}, "failed"],
    ["queued", "sent", {}, "sent"],
    ["sent", "delivered", {}, "delivered"],
    ["sent", "read", {}, "read"],
    ["sent", "failed", {}, "failed"],
    ["delivered", "sent", {}, "delivered"],
    ["delivered", "failed", {}, "delivered"],
    ["delivered", "read", {}, "read"],
    ["read", "delivered", {}, "read"],
    ["sent", "delivered", { service: "SMS" }, "sent"],
    ["sent", "read", { isGroup: true }, "sent"],
    ["failed", "sent", {}, "failed"],
    ["failed", "sent", { outcomeUnknown: true }, "sent"],
    ["failed", "delivered", {}, "delivered"],
    ["failed", "read", { outcomeUnknown: true }, "read"],
    ["failed", "delivered", { service: "SMS" }, "failed"],
    ["failed", "delivered", { service: "SMS", outcomeUnknown: true }, "sent"],
    ["failed", "delivered", { isGroup: true }, "failed"],
    ["failed", "delivered", { isPart: true }, "failed"],
    ["failed", "delivered", { isPart: true, outcomeUnknown: true }, "delivered"],
  ])("%s + %s %o = %s", (current, by, about, next) => {
    expect(nextStatus(current, by, { ...DIRECT, ...about })).toBe(next);
  });

  test("read implies sent and delivered", () => {
    expect(milestonesOf("read")).toEqual(["sent", "delivered", "read"]);
    expect(milestonesOf("failed")).toEqual([]);
  });
});

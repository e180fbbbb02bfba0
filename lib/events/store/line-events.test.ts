import "@/lib/testing/use-test-database";

import { describe, expect, test } from "vitest";
import { createLine } from "@/lib/lines/lines/create-line";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { prisma } from "@/lib/platform/database/db";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { accountEventBench } from "@/lib/testing/events/account-event-bench";

const bench = accountEventBench();
const { asAda, subscribe, pendingFor, newestPendingFor, ADA } = bench;

describe("lines", () => {
  test("an assigned line is reported to subscriptions of all lines", async () => {
    const all = await subscribe(["phone_number.assigned"]);
    const others = await subscribe(["phone_number.assigned"], { phone_numbers: [bench.account.line] });
    const line = { phoneNumber: "+15559990001", lineType: "RCS", transport: "simulator" } as const;
    const { id } = await createLine(bench.account.ref, line);
    expect((await newestPendingFor(all)).data).toEqual({
      phone_number: "+15559990001",
      changed_at: expect.stringMatching(/Z$/),
    });
    expect(await pendingFor(others)).toEqual([]);
    const event = await prisma().event.findFirst({ where: { accountId: bench.account.ref.id, lineId: id } });
    expect(event?.type).toBe("phone_number.assigned");
  });

  test("a flagged line emits one event, is audited, and clears again", async () => {
    const listener = await subscribe(["phone_number.status_updated"], {
      phone_numbers: [bench.account.line],
    });
    const line = await prisma().line.findUniqueOrThrow({ where: { phoneNumber: bench.account.line } });
    const ctx = asAda();
    await setLineStatus(ctx, line.id, "FLAGGED");
    await setLineStatus(ctx, line.id, "FLAGGED");
    await setLineStatus(ctx, line.id, "ACTIVE");

    const emitted = await pendingFor(listener);
    expect(emitted.map(({ data }) => [data.previous_status, data.new_status])).toEqual([
      ["ACTIVE", "FLAGGED"],
      ["FLAGGED", "ACTIVE"],
    ]);
    expect(emitted[0]?.data).toEqual({
      phone_number: bench.account.line,
      previous_status: "ACTIVE",
      new_status: "FLAGGED",
      previous_reputation: "HEALTHY",
      new_reputation: "HEALTHY",
      previous_health_status: "HEALTHY",
      new_health_status: "HEALTHY",
      changed_at: ctx.now.toISOString(),
    });
    const audits = await prisma().auditEntry.findMany({
      where: { objectId: line.id },
      orderBy: { id: "asc" },
    });
    expect(audits.slice(-2).map(({ action, actorId, detail }) => [action, actorId, detail])).toEqual([
      ["line.status_changed", ADA.userId, { from: "ACTIVE", to: "FLAGGED", by: "operator" }],
      ["line.status_changed", ADA.userId, { from: "FLAGGED", to: "ACTIVE", by: "operator" }],
    ]);
  });

  test("another account's line cannot be flagged", async () => {
    const other = await createTestAccount({ type: "sandbox" });
    const line = await prisma().line.findUniqueOrThrow({ where: { phoneNumber: other.line } });
    await expect(setLineStatus(asAda(), line.id, "FLAGGED")).rejects.toMatchObject({
      errorName: "line_not_found",
    });
  });
});

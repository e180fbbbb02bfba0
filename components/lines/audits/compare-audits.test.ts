import fc from "fast-check";
import { expect, test } from "vitest";
import { compareAudits } from "@/components/lines/audits/compare-audits";
import { type AuditReport, DriverKey } from "@/lib/lines/reputation/reputation-audit";

const ids = ["a", "b", "c", "d"].map((letter) => `019ca9c2-4c00-7a31-8f00-00000000000${letter}`);

const report = fc
  .record({
    severity: fc.constantFrom("HEALTHY", "AT_RISK", "CRITICAL"),
    keys: fc.uniqueArray(fc.constantFrom(...DriverKey.options)),
    chats: fc.uniqueArray(fc.constantFrom(...ids)),
    metrics: fc.dictionary(fc.constantFrom("chats", "sent_24h"), fc.nat()),
  })
  .map(
    ({ severity, keys, chats, metrics }): AuditReport => ({
      severity,
      primary_driver: keys[0] ?? "",
      drivers: keys.map((key) => ({ key, summary: key, metric: key })),
      action_items: [],
      evidence: {
        opt_out_chats: [],
        unhealthy_chats: chats.map((chat_id) => ({ chat_id, status: "AT_RISK", driver_keys: [] })),
      },
      metrics,
      summary_markdown: "",
    }),
  );

test("an audit compared with itself shows no change", () => {
  fc.assert(
    fc.property(report, (one) => {
      const { severity, metrics, drivers, newChats, recoveredChats } = compareAudits(one, one);
      expect(severity.before).toBe(severity.after);
      expect(metrics.every(({ before, after }) => before === after)).toBe(true);
      expect(drivers.every(({ change }) => change === "stayed")).toBe(true);
      expect([newChats, recoveredChats]).toEqual([[], []]);
    }),
  );
});

test("compared the other way around, new and gone change places", () => {
  fc.assert(
    fc.property(report, report, (one, other) => {
      const [there, back] = [compareAudits(one, other), compareAudits(other, one)];
      const keysOf = (compared: typeof there, change: string) =>
        compared.drivers.filter((driver) => driver.change === change).map(({ key }) => key);
      expect(keysOf(there, "new").sort()).toEqual(keysOf(back, "gone").sort());
      expect(there.newChats.sort()).toEqual(back.recoveredChats.sort());
      expect(there.metrics.length).toBe(back.metrics.length);
    }),
  );
});

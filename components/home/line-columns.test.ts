import { expect, test } from "vitest";
import { INITIAL_ORDER, LINE_COLUMNS, nextOrder, sortLines } from "@/components/home/line-columns";
import type { HomeLine } from "@/lib/runtime/dashboard/get-home-lines";

function line(id: string, sent: number, failed: number, delivered = sent - failed): HomeLine {
  const figures = {
    sent,
    failed,
    failed_after_sent: failed,
    delivered,
    received: 0,
    delivery_p50_ms: delivered === 0 ? null : 1000,
    delivery_p95_ms: delivered === 0 ? null : 2000,
    opted_out: 0,
  };
  return { id, phone_number: id, is_released: false, total: figures, before: figures };
}

const LINES = [
  line("few", 3, 3),
  line("good", 100, 1),
  line("idle", 0, 0),
  line("bad", 50, 20),
  line("best", 20, 0),
];
const sorted = (order: { key: string; direction: "ascending" | "descending" }) =>
  sortLines(LINES, order).map(({ id }) => id);

test("one click shows the worst line first, a second one the best, and lines with too few messages are last", () => {
  const worst = nextOrder(INITIAL_ORDER, "failed");
  expect(sorted(worst)).toEqual(["bad", "good", "best", "few", "idle"]);
  expect(sorted(nextOrder(worst, "failed"))).toEqual(["best", "good", "bad", "few", "idle"]);
  expect(nextOrder(nextOrder(worst, "failed"), "failed")).toEqual(worst);
  expect(sorted(nextOrder(worst, "delivered"))).toEqual(["bad", "good", "best", "few", "idle"]);
});

test("counts are sorted for every line, and equal lines keep their order", () => {
  expect(sorted({ key: "sent", direction: "descending" })).toEqual(["good", "bad", "best", "few", "idle"]);
  expect(sorted({ key: "received", direction: "descending" })).toEqual(LINES.map(({ id }) => id));
  expect(sorted(nextOrder(INITIAL_ORDER, "line"))).toEqual(LINES.map(({ id }) => id).toReversed());
});

test("a line with too few messages has no share and no time", () => {
  const read = (of: HomeLine) =>
    LINE_COLUMNS.map(({ read, format }) => {
      const value = read(of.total);
      return value === null ? null : format(value);
    });
  expect(read(line("few", 9, 1))).toEqual(["9", null, null, null, null, "0", "0"]);
  expect(read(line("enough", 12, 2))).toEqual(["12", "83.3%", "16.7%", "1 s", "2 s", "0", "0"]);
});

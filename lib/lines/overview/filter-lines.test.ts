import { expect, test } from "vitest";
import { filterLines } from "@/lib/lines/overview/filter-lines";

const healthy = { status: "HEALTHY" as const, doc_url: "http://localhost" };
const lines = [
  {
    phone_number: "+15550100001",
    status: "ACTIVE" as const,
    is_up: true,
    line_type: "iMessage" as const,
    reputation: healthy,
  },
  {
    phone_number: "+15550100002",
    label: "Front desk 9",
    status: "FLAGGED" as const,
    is_up: false,
    line_type: "RCS" as const,
    reputation: { ...healthy, status: "CRITICAL" as const },
  },
];

test.each([
  [{}, 2],
  [{ q: "(555) 010-0001" }, 1],
  [{ q: "8" }, 0],
  [{ q: "9" }, 1],
  [{ q: "DESK" }, 1],
  [{ q: "front +1" }, 0],
  [{ q: "" }, 2],
  [{ status: "FLAGGED" }, 1],
  [{ status: "down" }, 1],
  [{ status: "ACTIVE", type: "RCS" }, 0],
  [{ reputation: "CRITICAL", type: "RCS" }, 1],
] as const)("%j leaves %i", (filter, count) => {
  expect(filterLines(lines, filter)).toHaveLength(count);
});

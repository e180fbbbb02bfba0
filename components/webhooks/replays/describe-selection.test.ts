import { expect, test } from "vitest";
import { describeSelection } from "@/components/webhooks/replays/describe-selection";

test("a filter is described in a fixed order", () => {
  const filter = {
    statuses: ["failed", "never_owed"],
    types: ["message.sent"],
    from: "2026-11-21T10:00:00.000Z",
    json_path: "$.message",
  };

  expect(describeSelection({ filter }, "UTC")).toBe(
    "Failed or never sent; message.sent; from 2026-11-21 10:00 UTC; where $.message",
  );
});

test("a single delivery is described as one delivery", () => {
  expect(describeSelection({ delivery_id: "019ab3c4-5d6e-7f80-9a1b-2c3d4e5f6071" }, "UTC")).toBe(
    "One delivery",
  );
});

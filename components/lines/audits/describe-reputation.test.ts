import { expect, test } from "vitest";
import { describeReputation } from "@/components/lines/audits/describe-reputation";

test.each([
  [[19, 0, 0, 0], "Rated once it has 20 chats"],
  [[20, 0, 0, 0], "All chats healthy"],
  [[70, 10, 15, 5], "20% critical or opted out, 10% at risk"],
  [[999, 1, 0, 0], "under 1% at risk"],
])("the reputation of %j reads %s", ([healthy = 0, at_risk = 0, critical = 0, opted_out = 0], text) => {
  const chats = { healthy, at_risk, critical, opted_out };
  expect(describeReputation({ chats, reputation: { status: "HEALTHY", doc_url: "" } })).toBe(text);
});

test("a line that is not healthy is never said to be unrated", () => {
  const chats = { healthy: 3, at_risk: 0, critical: 0, opted_out: 0 };
  const text = describeReputation({ chats, reputation: { status: "CRITICAL", doc_url: "" } });
  expect(text).toBe("Not rated from its chats now");
});

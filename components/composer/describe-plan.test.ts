import { expect, test } from "vitest";
import { describePlan, type SendPlan } from "@/components/composer/describe-plan";

const plan = (more: Partial<SendPlan>): SendPlan => ({
  would_send: true,
  service: "iMessage",
  line: "+15550100101",
  left_out: [],
  checks: [{ check: "content", passed: true }],
  ...more,
});
const texts = (...described: Parameters<typeof describePlan>) =>
  describePlan(...described).map(({ text }) => text);

test("a message sent as requested names its service", () => {
  expect(describePlan(plan({}), null)).toEqual([{ isWarning: false, text: "Will be sent over iMessage." }]);
});

test("a downgrade warns about the service and the features it drops", () => {
  expect(texts(plan({ service: "SMS", left_out: ["effect", "decorations", "reply"] }), "RCS")).toEqual([
    "This recipient doesn't have RCS. Will be sent over SMS.",
    "SMS doesn't support the effect, the formatting and the reply quote. The rest of the message is delivered.",
  ]);
});

test("a rejection names the reason, its code and the next step", () => {
  const checks = [
    { check: "content", passed: null },
    { check: "recipient", passed: false, code: 2008, message: "They must write first" },
  ];
  expect(texts(plan({ would_send: false, checks, left_out: ["effect"] }), null)).toEqual([
    "This message would be rejected: They must write first (2008).",
    "Ask them to send any message to +15550100101 first.",
  ]);
});

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

test("a message that goes as wished says over what", () => {
  expect(describePlan(plan({}), null)).toEqual([{ isWarning: false, text: "Goes over iMessage." }]);
});

test("a downgrade and what it loses are warned of", () => {
  expect(texts(plan({ service: "SMS", left_out: ["effect", "decorations", "reply"] }), "RCS")).toEqual([
    "RCS does not reach them: it goes over SMS.",
    "SMS leaves out the effect, the formatting and the quote it replies to; the rest arrives.",
  ]);
});

test("a refusal says why, with its code, and what can be done", () => {
  const checks = [
    { check: "content", passed: null },
    { check: "recipient", passed: false, code: 2008, message: "They must write first" },
  ];
  expect(texts(plan({ would_send: false, checks, left_out: ["effect"] }), null)).toEqual([
    "It would be refused: They must write first (2008).",
    "Have them send any message to +15550100101 first.",
  ]);
});

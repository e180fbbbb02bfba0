import { expect, test } from "vitest";
import { describeChange } from "@/components/settings/describe-change";

test.each([
  [
    { action: "account.options_changed", object: null, detail: { from: { rcs: true }, to: { rcs: false } } },
    { what: "Account options changed", detail: "rcs: true → false" },
  ],
  [
    { action: "line.forwarding_updated", object: "+15550100", detail: { from: null, to: "+15550199" } },
    { what: "Line forwarding updated, +15550100", detail: "none → +15550199" },
  ],
  [
    { action: "app_clip.registered", object: null, detail: { name: "Order" } },
    { what: "App clip registered", detail: "name: Order" },
  ],
])("%j is described in words", (change, emitted) => {
  expect(describeChange(change)).toEqual(emitted);
});

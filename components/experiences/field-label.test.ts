import { expect, test } from "vitest";
import { fieldLabel } from "@/components/experiences/field-label";

test.each([
  ["checkout_url", "Checkout URL"],
  ["url", "URL"],
  ["payment_id", "Payment ID"],
  ["request_payment", "Request payment"],
  ["title", "Title"],
])("the field %s is shown as %s", (name, label) => {
  expect(fieldLabel(name)).toBe(label);
});

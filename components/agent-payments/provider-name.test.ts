import { expect, test } from "vitest";
import { providerName } from "@/components/agent-payments/provider-name";
import { servicecard } from "@/lib/adapters/card-providers/servicecard/servicecard";
import { stripeIssuing } from "@/lib/adapters/card-providers/stripe/stripe-issuing";

test.each([servicecard, stripeIssuing])(
  "the card provider $name is shown by its label",
  ({ name, label }) => {
    expect(providerName(name)).toBe(label);
  },
);

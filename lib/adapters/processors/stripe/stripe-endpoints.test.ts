import { readFileSync } from "node:fs";
import Stripe from "stripe";
import { expect, test } from "vitest";

const ENDPOINTS = [
  ["docs/payments.md", "lib/adapters/processors/stripe/stripe-processor-event.ts"],
  ["docs/agent-payments.md", "lib/adapters/card-providers/stripe/issuing-webhook.ts"],
] as const;

test.each(ENDPOINTS)(
  "%s names the API version and every event of the endpoint that %s reads",
  (guide, source) => {
    const text = readFileSync(guide, "utf8");
    const events = [...readFileSync(source, "utf8").matchAll(/case "([a-z_.]+)":/g)].map(
      ([, event]) => event ?? "",
    );
    // Stripe sends this one to the URL for authorizations, which is no endpoint with a list of events.
    const listed = events.filter((event) => event !== "issuing_authorization.request");
    expect(listed.length).toBeGreaterThan(5);
    expect(listed.filter((event) => !text.includes(`\`${event}\``))).toEqual([]);
    expect(text).toContain(`\`${Stripe.API_VERSION}\``);
  },
);

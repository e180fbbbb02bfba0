import { expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { cardFailure } from "@/lib/lines/contact-cards/apply-card";
import { ERRORS } from "@/lib/platform/errors/errors";

test.each([
  ["rate_limited", 503, 4004],
  ["rejected", 500, 2022],
  ["unknown_outcome", 500, 2022],
] as const)("a card write that the transport answers with %s is %i/%i", (kind, status, code) => {
  expect(ERRORS[cardFailure(new AdapterError(kind, "no"))]).toMatchObject({ status, code });
});

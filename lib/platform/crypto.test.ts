import { expect, test } from "vitest";
import { seal, unseal } from "@/lib/platform/crypto";

test("a sealed secret opens for its purpose only, and not when a byte was changed", () => {
  const sealed = seal("whsec_abc", "webhook-signing-secret");
  expect(sealed.toString("utf8")).not.toContain("whsec_abc");
  expect(unseal(sealed, "webhook-signing-secret")).toBe("whsec_abc");
  expect(() => unseal(sealed, "another-purpose")).toThrow();

  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(changed, "webhook-signing-secret")).toThrow();
  }
});

test("the same secret never looks the same twice", () => {
  expect(seal("one", "p").equals(seal("one", "p"))).toBe(false);
});

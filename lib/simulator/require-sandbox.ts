import "server-only";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";

/** Simulated phones exist in sandbox accounts only. Errors: feature_not_available. */
export function requireSandbox({ account }: Context): void {
  if (account.type !== "sandbox")
    fail("feature_not_available", "only sandbox accounts can use the simulator");
}

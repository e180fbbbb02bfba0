import "server-only";
import { allTransports } from "@/lib/adapters/transports/registry";
import type { AccountRef } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Checks that this instance has the transport, and that only sandbox accounts use the simulator's. Errors:
 * parameter_invalid.
 */
export function requireTransport({ type }: Pick<AccountRef, "type">, transport: string): void {
  const names = allTransports()
    .filter(({ sandboxOnly }) => type === "sandbox" || sandboxOnly !== true)
    .map(({ name }) => name);
  if (names.includes(transport)) return;
  fail(
    "parameter_invalid",
    `transport: ${type} accounts can use ${names.join(", ") || "no transport of this instance"}`,
  );
}

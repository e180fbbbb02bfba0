import "server-only";
import { notFound } from "next/navigation";
import type { SessionAccount } from "@/lib/identity/sessions/find-session";

/** Shows the "not found" page in a production account, which has no simulated phones. */
export function requireSandboxAccount({ type }: SessionAccount): void {
  if (type !== "sandbox") notFound();
}

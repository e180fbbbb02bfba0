import "server-only";
import type { Contract } from "@/lib/platform/contract";

/** The contract of a phone's action for a person on the Phones page, who needs the right to send messages. */
export function asPerson<const C extends Contract>(contract: C) {
  return { ...contract, right: "send_messages" as const };
}

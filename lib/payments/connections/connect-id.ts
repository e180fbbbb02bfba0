import "server-only";
import { z } from "zod";
import type { ConnectionKey } from "@/lib/payments/connections/handle-connection";
import { seal, unseal } from "@/lib/platform/crypto/crypto";

const SEALED_FOR = { purpose: "connect id" };

const Verification = z.object({
  accountId: z.string(),
  provider: z.string(),
  handle: z.string(),
  verificationId: z.string(),
});

/**
 * Creates the connect_id of a verification: a sealed token that only its caller holds (docs/contract.md, section 14.2).
 */
export function sealConnectId(key: ConnectionKey, verificationId: string): string {
  const text = JSON.stringify({ ...key, verificationId });
  return `connect_${seal(text, SEALED_FOR).toString("base64url")}`;
}

/** Returns the verification and provider of a connect_id that belongs to this customer, or null for any other text. */
export function openConnectId(
  connectId: string,
  of: Pick<ConnectionKey, "accountId" | "handle">,
): { key: ConnectionKey; verificationId: string } | null {
  const verification = Verification.safeParse(read(connectId));
  if (!verification.success) return null;
  const { verificationId, ...key } = verification.data;
  return key.accountId === of.accountId && key.handle === of.handle ? { key, verificationId } : null;
}

// Any error while unsealing or parsing means that the text is not a connect_id.
function read(connectId: string): unknown {
  try {
    return JSON.parse(unseal(Buffer.from(connectId.replace(/^connect_/, ""), "base64url"), SEALED_FOR));
  } catch {
    return null;
  }
}

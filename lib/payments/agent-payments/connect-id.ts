import "server-only";
import { z } from "zod";
import type { ConnectionKey } from "@/lib/payments/agent-payments/handle-connection";
import { seal, unseal } from "@/lib/platform/crypto";

const SEALED_FOR = { purpose: "connect id" };

const Ceremony = z.object({
  accountId: z.string(),
  provider: z.string(),
  handle: z.string(),
  ceremonyId: z.string(),
});

/** The connect_id of a ceremony: a sealed token, which only its caller holds (contract.md 0). */
export function sealConnectId(key: ConnectionKey, ceremonyId: string): string {
  const text = JSON.stringify({ ...key, ceremonyId });
  return `connect_${seal(text, SEALED_FOR).toString("base64url")}`;
}

/** The ceremony a connect_id is of, with its provider, when it is of this customer; null for any other text. */
export function openConnectId(
  connectId: string,
  of: Pick<ConnectionKey, "accountId" | "handle">,
): { key: ConnectionKey; ceremonyId: string } | null {
  const ceremony = Ceremony.safeParse(read(connectId));
  if (!ceremony.success) return null;
  const { ceremonyId, ...key } = ceremony.data;
  return key.accountId === of.accountId && key.handle === of.handle ? { key, ceremonyId } : null;
}

// Whatever is wrong with a token, it is no connect_id.
function read(connectId: string): unknown {
  try {
    return JSON.parse(unseal(Buffer.from(connectId.replace(/^connect_/, ""), "base64url"), SEALED_FOR));
  } catch {
    return null;
  }
}

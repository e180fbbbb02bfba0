import "server-only";
import type { Context } from "@/lib/platform/context";
import { withoutWalletLinks } from "@/lib/platform/rights/redact-wallet-links";
import { hasRight } from "@/lib/platform/rights/role-rights";
import { findStoredMessages } from "@/lib/simulator/phones/screen/find-stored-messages";

interface ShownRow {
  sender: string;
  line: string;
  message_id: string | null;
  parts: Record<string, unknown>[];
}

/**
 * Whether the reader sees the one-time codes and wallet links on phones. With both, a reader could pay on behalf of a
 * customer.
 */
export function maySeeSecrets(ctx: Context): boolean {
  return hasRight(ctx, "manage_payments");
}

/**
 * Messages on phones as this reader sees them. Without the right to see secrets, a line's message shows what the API
 * stored, which never contains a code, and a line's message that was deleted shows nothing.
 */
export async function hideSecrets<Row extends ShownRow>(ctx: Context, rows: Row[]): Promise<Row[]> {
  if (maySeeSecrets(ctx)) return rows;
  const ids = new Set(rows.flatMap(({ message_id }) => message_id ?? []));
  const stored = await findStoredMessages(ctx, [...ids]);
  return rows.map((row) => {
    if (row.sender !== row.line) return { ...row, parts: withoutWalletLinks(row.parts) };
    const message = row.message_id === null ? undefined : stored.get(row.message_id);
    const parts = message === undefined ? [] : withStoredTexts(row.parts, message.parts);
    return { ...row, parts: withoutWalletLinks(parts) };
  });
}

function withStoredTexts(
  sent: readonly Record<string, unknown>[],
  stored: readonly { type: string; value?: unknown }[],
): Record<string, unknown>[] {
  return sent.map((part, at) => {
    const own = stored[at];
    return part.type === "text" && own?.type === "text" ? { ...part, value: own.value } : part;
  });
}

import "server-only";
import { sql } from "@/lib/platform/db";

/** Returns the transport's id of a message, or of its first unit if it has several; null when it has none. */
export async function findVendorRef(accountId: string, messageId: string): Promise<string | null> {
  const [row] = await sql.query<{ ref: string }>({
    name: "find-vendor-ref",
    text: "select ref from transport_refs where account_id = $1 and message_id = $2 order by ref limit 1",
    values: [accountId, messageId],
  });
  return row?.ref ?? null;
}

import "server-only";
import { vendorSql } from "@/lib/lines/connections/connection-vendor";
import { plainRefSql } from "@/lib/messaging/messages/vendor-ref";
import { byKey, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const FIND_VENDOR_REF = statement(
  "find-vendor-ref",
  `select ${plainRefSql("r.ref")} as "ref!"
  from transport_refs r join messages m on ${byKey("m", { account_id: "r.account_id", id: "r.message_id" })}
    join lines l on ${byKey("l", { account_id: "r.account_id", id: "r.line_id" })}
  where r.account_id = :accountId and r.message_id = :messageId and (m.dispatch_connection is null
    or ${vendorSql("l", "m.dispatch_connection")} = ${vendorSql("l", "l.connection_number")})
  order by r.ref limit 1`,
);

/**
 * Returns the transport's id of a message, or of its first unit if it has several; null when it has none, or when it was
 * sent over another vendor account than that of the line's connection.
 */
export async function findVendorRef(accountId: string, messageId: string): Promise<string | null> {
  const [row] = await sql.run(FIND_VENDOR_REF, { accountId, messageId });
  return row?.ref ?? null;
}

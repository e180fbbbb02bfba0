import "server-only";
import { z } from "zod";
import { allCardProviders } from "@/lib/adapters/card-providers/registry";
import { type Sql, sql } from "@/lib/platform/database/db";
import type { ConnectionStatus } from "@/lib/platform/prisma/enums";
import { Handle } from "@/lib/platform/text/phone-handle";

export const HandleParams = z.object({
  handle: Handle.meta({
    description: "Phone number in E.164 format or email address of the customer.",
    examples: ["+12025550123"],
  }),
});

/** Whether a customer allows the account's agents to pay (partner-api.md, PaymentHandleConnection). */
export const PaymentHandleConnection = z
  .object({
    connect_id: z
      .string()
      .optional()
      .describe(
        "ID of the verification. Only the connect operation returns it: keep it until you verify the code.",
      ),
    handle: z.string().optional().describe("Phone number or email address of the customer."),
    status: z
      .enum(["not_connected", "pending", "connected", "revoked"])
      .optional()
      .describe("Status of the connection. Payments require `connected`."),
  })
  .meta({
    id: "PaymentHandleConnection",
    description: "A customer's connection, which lets agents of your account pay on the customer's behalf.",
    examples: [{ handle: "+12025550123", status: "connected" }],
  });

export type PaymentHandleConnection = z.infer<typeof PaymentHandleConnection>;

/** The key of a connection: one per account, provider and handle. */
export interface ConnectionKey {
  accountId: string;
  provider: string;
  handle: string;
}

export interface ConnectionRow {
  provider: string;
  status: ConnectionStatus;
  verification_id: string | null;
  code_hash: Buffer | null;
  code_expires_at: Date | null;
  code_tries: number;
  codes_sent: number;
  codes_since: Date;
  approved_at: Date | null;
}

const CONNECTION_COLUMNS = `provider, status::text as status, verification_id, code_hash, code_expires_at, code_tries,
  codes_sent, codes_since, approved_at`;

/**
 * Whether the customer of a payment is connected. If so, locks the connection until the transaction ends, so that a
 * concurrent revocation waits.
 */
export async function holdConnection(
  tx: Sql,
  { account_id, provider, handle }: { account_id: string; provider: string; handle: string },
): Promise<boolean> {
  const rows = await tx.query({
    name: "hold-handle-connection",
    text: `select 1 from handle_connections
           where account_id = $1 and provider = $2 and handle = $3 and status = 'connected' for share`,
    values: [account_id, provider, handle],
  });
  return rows.length > 0;
}

/** Returns a connection, or null for a handle without a consent request. */
export async function findConnection(key: ConnectionKey, on: Sql = sql): Promise<ConnectionRow | null> {
  const [row] = await on.query<ConnectionRow>({
    name: "find-handle-connection",
    text: `select ${CONNECTION_COLUMNS} from handle_connections
           where account_id = $1 and provider = $2 and handle = $3`,
    values: [key.accountId, key.provider, key.handle],
  });
  return row ?? null;
}

/** Returns a handle's connections at all providers, most recently changed first. */
export async function findConnections(accountId: string, handle: string): Promise<ConnectionRow[]> {
  return sql.query<ConnectionRow>({
    name: "find-handle-connections",
    text: `select ${CONNECTION_COLUMNS} from handle_connections
           where account_id = $1 and provider = any($2) and handle = $3 order by updated_at desc`,
    values: [accountId, providerNames(), handle],
  });
}

/** As `findConnections`, ordered by provider and locked until the transaction ends. */
export async function lockConnections(tx: Sql, accountId: string, handle: string): Promise<ConnectionRow[]> {
  return tx.query<ConnectionRow>({
    text: `select ${CONNECTION_COLUMNS} from handle_connections
           where account_id = $1 and provider = any($2) and handle = $3 order by provider for update`,
    values: [accountId, providerNames(), handle],
  });
}

// Queries list the providers so that they can use the key's index.
function providerNames(): string[] {
  return allCardProviders().map(({ name }) => name);
}

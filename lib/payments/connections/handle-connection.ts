import "server-only";
import { z } from "zod";
import { allCardProviders } from "@/lib/adapters/card-providers/registry";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf, statement } from "@/lib/platform/database/statement";
import { Handle } from "@/lib/platform/text/phone-handle";

export const HandleParams = z.object({
  handle: Handle.meta({
    description: "Phone number in E.164 format or email address of the customer.",
    examples: ["+12025550123"],
  }),
});

/** Whether a customer allows the account's agents to pay (docs/contract.md, section 14.2). */
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

export type ConnectionRow = RowOf<"find-handle-connection">;

const CONNECTION_COLUMNS = `provider, status, verification_id, code_hash, code_expires_at, code_tries,
  codes_sent, codes_since, approved_at`;

const HOLD_HANDLE_CONNECTION = statement(
  "hold-handle-connection",
  `select 1 from handle_connections
  where account_id = :accountId and provider = :provider and handle = :handle and status = 'connected' for share`,
);

/**
 * Whether the customer of a payment is connected. If so, locks the connection until the transaction ends, so that a
 * concurrent revocation waits.
 */
export async function holdConnection(
  tx: Sql,
  { account_id, provider, handle }: { account_id: string; provider: string; handle: string },
): Promise<boolean> {
  const rows = await tx.run(HOLD_HANDLE_CONNECTION, { accountId: account_id, provider, handle });
  return rows.length > 0;
}

const FIND_HANDLE_CONNECTION = statement(
  "find-handle-connection",
  `select ${CONNECTION_COLUMNS} from handle_connections
  where account_id = :accountId and provider = :provider and handle = :handle`,
);

/** Returns a connection, or null for a handle without a consent request. */
export async function findConnection(key: ConnectionKey, on: Sql = sql): Promise<ConnectionRow | null> {
  const [row] = await on.run(FIND_HANDLE_CONNECTION, {
    accountId: key.accountId,
    provider: key.provider,
    handle: key.handle,
  });
  return row ?? null;
}

const FIND_HANDLE_CONNECTIONS = statement(
  "find-handle-connections",
  `select ${CONNECTION_COLUMNS} from handle_connections
  where account_id = :accountId and provider = any(:providerNames) and handle = :handle order by updated_at desc`,
);

/** Returns a handle's connections at all providers, most recently changed first. */
export async function findConnections(accountId: string, handle: string): Promise<ConnectionRow[]> {
  return sql.run(FIND_HANDLE_CONNECTIONS, { accountId, providerNames: providerNames(), handle });
}

const LOCK_HANDLE_CONNECTIONS = plannedStatement(
  "lock-handle-connections",
  `select ${CONNECTION_COLUMNS} from handle_connections
  where account_id = :accountId and provider = any(:providerNames) and handle = :handle order by provider for update`,
);

/** As `findConnections`, ordered by provider and locked until the transaction ends. */
export async function lockConnections(tx: Sql, accountId: string, handle: string): Promise<ConnectionRow[]> {
  return tx.run(LOCK_HANDLE_CONNECTIONS, { accountId, providerNames: providerNames(), handle });
}

// Queries list the providers so that they can use the key's index.
function providerNames(): string[] {
  return allCardProviders().map(({ name }) => name);
}

import "server-only";
import { recordSystemAudit } from "@/lib/identity/audit/record-audit";
import { recordNotice } from "@/lib/identity/notices/record-notice";
import { createRecordLimit, type RecordLimit } from "@/lib/identity/tokens/record-limit";
import { sha256 } from "@/lib/platform/crypto/crypto";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { clientNetwork } from "@/lib/platform/http/client-address";
import { requestClient } from "@/lib/platform/http/request-client";
import { log } from "@/lib/platform/telemetry/log";
import { now } from "@/lib/platform/time/clock";

const HOUR_MS = 60 * 60 * 1000;

const shared = globalThis as typeof globalThis & { trunklineRefusedTokens?: RecordLimit };

/** A limit per process: a flood of rejected tokens must not cause a flood of writes. */
function mayRecord(key: string): boolean {
  shared.trunklineRefusedTokens ??= createRecordLimit({
    quietMs: HOUR_MS,
    maxPerMinute: 60,
    maxMemoized: 5000,
  });
  return shared.trunklineRefusedTokens(key, Date.now());
}

type KnownToken = RowOf<"lock-refused-token">;

/**
 * Records the use of a rejected token without delaying the request. A revoked token: an audit entry and a notice for
 * the account's users. An unknown token: an audit entry with the client's IP address. Each at most once per hour and
 * process.
 */
export function recordRejectedToken(token: string): void {
  const { address } = requestClient();
  const hash = sha256(token);
  const network = address === null ? "unknown" : clientNetwork(address);
  // Many invented tokens from one client are one event. A known token is looked up once per hour for all clients.
  if (!mayRecord(`token ${hash.toString("hex")}`)) return;
  note(hash, network).catch((error: unknown) => log.warn({ err: error }, "a refused token was not noted"));
}

const LOCK_REFUSED_TOKEN = statement(
  "lock-refused-token",
  `select t.id, t.name, t.account_id, a.partner_id
  from api_tokens t join accounts a on a.id = t.account_id where t.hash = :hash for update of t`,
);

async function note(hash: Buffer, network: string): Promise<void> {
  await transaction(async (tx) => {
    const [known] = await tx.run(LOCK_REFUSED_TOKEN, { hash });
    if (known !== undefined) return recordKnownToken(tx, known);
    if (!mayRecord(`address ${network}`)) return;
    const scope = { partnerId: null, accountId: null, at: now() };
    await recordSystemAudit(tx, scope, "api_token.refused", "api_token", null, { reason: "unknown" });
  });
}

async function recordKnownToken(tx: Sql, { id, name, account_id, partner_id }: KnownToken): Promise<void> {
  const at = now();
  const scope = { partnerId: partner_id, accountId: account_id, at };
  await recordSystemAudit(tx, scope, "api_token.refused", "api_token", id, { reason: "revoked", name });
  if (await hasOpenNotice(tx, account_id, id)) return;

  const { address } = requestClient();
  const from = address === null ? "" : ` from ${address}`;
  await recordNotice(tx, {
    accountId: account_id,
    kind: "revoked_token_used",
    severity: "warning",
    title: `A request used the revoked API token "${name}"`,
    body: `A request${from} with this revoked token was rejected. If the request came from your program, give the program a new token. If not, someone else may have a copy of the token.`,
    link: "/tokens",
    objectId: id,
    at,
  });
}

const OPEN_NOTICE_OF_TOKEN = statement(
  "open-notice-of-token",
  `select 1 from account_notices
  where account_id = :accountId and object_id = :tokenId and kind = 'revoked_token_used' and dismissed_at is null limit 1`,
);

async function hasOpenNotice(tx: Sql, accountId: string, tokenId: string): Promise<boolean> {
  const open = await tx.run(OPEN_NOTICE_OF_TOKEN, { accountId, tokenId });
  return open.length > 0;
}

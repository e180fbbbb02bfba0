import "server-only";
import { z } from "zod";
import { emitAccountEvent, requestChange } from "@/lib/events/store/emit-account-event";
import { ACCOUNT_COLUMNS, type AccountRow } from "@/lib/identity/accounts/account";
import { ENVIRONMENT_EVENTS } from "@/lib/identity/accounts/environment-events";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { clearCard, lockLine, type ReleasedLine, releaseLocked } from "@/lib/lines/assignment/release-line";
import { openConnection, setLineConnection } from "@/lib/lines/connections/line-connection";
import { requireTransport } from "@/lib/lines/connections/require-transport";
import { insertLine } from "@/lib/lines/lines/create-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";

export const MoveLine = contract({
  summary: "Move a phone line to another account of the partner",
  tag: "Phone lines",
  right: "assign_lines",
  proof: true,
  params: z.object({ lineId: z.uuid() }),
  body: z.object({ account_id: z.uuid() }),
  returns: z.object({
    /** The line in the other account. */
    id: z.uuid(),
    account_id: z.uuid(),
    phone_number: z.string(),
  }),
  status: 200,
  errors: ["access_denied", "line_not_found", "name_unknown", "parameter_invalid", "state_conflict"],
  extension: true,
});

/**
 * Moves a line's number to another account of the same partner, with its settings and connection. The chats stay with
 * the old account, where they are readable but closed, and the contact card is removed. Both accounts get
 * environment.line_moved. Errors: access_denied (another partner's account), name_unknown (no such account),
 * parameter_invalid (the account can't use the transport), line_not_found, state_conflict (pending messages, or the
 * account is archived or already has the line).
 */
export async function moveLine(
  ctx: Context,
  { params, body }: Pick<Input<typeof MoveLine>, "params" | "body">,
): Promise<z.infer<typeof MoveLine.returns>> {
  const { moved, id, to } = await transaction(async (tx) => {
    const rows = await lockAccounts(tx, ctx, body.account_id);
    const line = await lockLine(tx, ctx, params.lineId);
    const { from, to } = requireTarget(rows, ctx, body.account_id);
    const moved = await releaseLocked(tx, ctx, line);
    requireTransport(to, moved.transport);
    const id = await insertMoved(tx, ctx, moved, to);
    await reportMove(tx, ctx, moved, { from, to, id });
    return { moved, id, to };
  });
  await clearCard(ctx, moved);
  return { id, account_id: to.id, phone_number: moved.phoneNumber };
}

interface Accounts {
  from: AccountRow;
  to: AccountRow;
}

const LOCK_ACCOUNTS_OF_MOVE = plannedStatement(
  "lock-accounts-of-move",
  `select ${ACCOUNT_COLUMNS} from accounts where id = any(:ids::uuid[]) order by id for share`,
);

// Locks both accounts against being archived meanwhile: before the line, as in `archiveAccount`.
function lockAccounts(tx: Sql, { account }: Context, toId: string): Promise<AccountRow[]> {
  return tx.run(LOCK_ACCOUNTS_OF_MOVE, { ids: [account.id, toId] });
}

function requireTarget(rows: readonly AccountRow[], { account }: Context, toId: string): Accounts {
  const [from, to] = [account.id, toId].map((id) => rows.find((row) => row.id === id));
  if (from === undefined || to === undefined) fail("name_unknown", "this account does not exist");
  if (to.partner_id !== account.partnerId) fail("access_denied");
  if (to.id === from.id) fail("state_conflict", "the account already has this line");
  if (to.archived_at !== null)
    fail("state_conflict", `the account "${to.name}" is archived: restore it first`);
  return { from, to };
}

const COPY_LINE_SETTINGS = plannedStatement(
  "copy-line-settings",
  `update lines l set label = old.label, rcs = old.rcs, forwarding_number = old.forwarding_number,
    attachment_tier = old.attachment_tier, poll_cursor = old.poll_cursor, is_up = old.is_up
  from lines old
  where l.account_id = :toId and l.id = :id and old.account_id = :accountId and old.id = :lineId`,
);

/** Inserts the line into its new account. Its connection is sealed again, because a secret is bound to its row. */
async function insertMoved(tx: Sql, ctx: Context, line: ReleasedLine, to: AccountRow): Promise<string> {
  const owner = { id: to.id, partnerId: to.partner_id, type: to.type };
  const { id } = await insertLine(
    tx,
    owner,
    {
      phoneNumber: line.phoneNumber,
      lineType: line.lineType === "iMessage" ? "iMessage" : "RCS",
      transport: line.transport,
    },
    { ...ctx, account: owner },
  );
  await tx.run(COPY_LINE_SETTINGS, { toId: to.id, id, accountId: line.accountId, lineId: line.id });
  if (line.connection !== null) {
    const { accountId, phoneNumber, lineType } = line;
    const connection = openConnection({ accountId, id: line.id, phoneNumber, lineType }, line.connection);
    await setLineConnection({ accountId: to.id, id }, connection, tx);
  }
  return id;
}

async function reportMove(
  tx: Sql,
  ctx: Context,
  { id: lineId, phoneNumber }: ReleasedLine,
  { from, to, id }: Accounts & { id: string },
): Promise<void> {
  const refOf = ({ name }: AccountRow) => ({ name, type: "environment" as const });
  await recordAudit(tx, ctx, "line.moved", "line", lineId, {
    from: { account: from.name },
    to: { account: to.name },
    phone_number: phoneNumber,
    moved_to: id,
  });
  const change = { ...requestChange(ctx), accountIds: [from.id, to.id] };
  await emitAccountEvent(tx, change, ENVIRONMENT_EVENTS["environment.line_moved"], {
    phone_number: phoneNumber,
    change: { from: refOf(from), to: refOf(to) },
  });
}

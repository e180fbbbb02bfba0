import "server-only";
import { z } from "zod";
import { actorId, recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { SenderHandle } from "@/lib/platform/text/phone-handle";
import { FIRST_STEP } from "@/lib/privacy/erasure/erasure-steps";
import { ensurePepper, hashHandle } from "@/lib/recipients/erased-handles/handle-pepper";
import { CustomerParams } from "@/lib/recipients/handles/name-handle";
import { normalizeHandle } from "@/lib/recipients/handles/normalize-handle";

const HOUR_MS = 3_600_000;

/** The erasure of a person, without content. */
export const PersonErasure = z.object({
  id: z.uuid(),
  requested_at: z.iso.datetime(),
  /** When everything was erased that was stored when the erasure began; null = not yet. */
  erased_at: z.iso.datetime().nullable(),
  /** When the remains of what was in flight then were erased too; null = not yet. */
  ended_at: z.iso.datetime().nullable(),
  /** Erased or changed rows by table. */
  counts: z.record(z.string(), z.int()),
  /**
   * The newest backup that Trunkline made before and that still contains the person, and when scheduled backups replace
   * it; `until` is null when no schedule removes backups. null = there is no such backup.
   */
  in_backups: z.object({ newest: z.iso.datetime(), until: z.iso.datetime().nullable() }).nullable(),
});

export type PersonErasure = z.infer<typeof PersonErasure>;

export const ErasePerson = contract({
  summary: "Erase a person from the account",
  tag: "Customers",
  right: "manage_personal_data",
  proof: true,
  params: CustomerParams,
  /** The handle once more, as typed by the person who confirms. */
  body: z.object({ confirmation: z.string().transform(normalizeHandle).pipe(SenderHandle) }),
  returns: PersonErasure,
  status: 202,
  errors: ["access_denied", "phone_not_e164", "parameter_invalid"],
});

/**
 * Requests the erasure of everything that the account stores about a person. A worker erases in the background; a
 * running erasure of the same person is returned. Payments keep their amounts, and an opt-out or block stays under a
 * keyed hash of the handle. Errors: proof_required, parameter_invalid (the confirmation is another handle).
 */
export async function erasePerson(
  ctx: Context,
  { params, body }: Pick<Input<typeof ErasePerson>, "params" | "body">,
): Promise<PersonErasure> {
  const { handle } = params;
  if (body.confirmation !== handle) fail("parameter_invalid", "confirmation must be the handle in the path");

  return transaction(async (tx) => {
    const hash = hashHandle(ctx.account.id, await ensurePepper(tx, ctx.account.id), handle);
    const id = await insertErasure(tx, ctx, handle, hash);
    if (id !== null) await recordAudit(tx, ctx, "person.erasure_requested", "person_erasure", id);
    tx.wake("erasures");
    const erasure = await selectErasure(tx, ctx.account.id, hash);
    if (erasure === null) throw new Error("an erasure vanished between two statements");
    return erasure;
  });
}

const INSERT_ERASURE = plannedStatement(
  "insert-erasure",
  `insert into person_erasures
    (account_id, id, handle, handle_hash, actor_type, actor_id, trace_id, requested_at, step, run_at)
  values (:accountId, :id, :handle, :hash, :actorType, :actorId, :traceId, :now, :firstStep, :now)
  on conflict (account_id, handle) where handle is not null do nothing returning id`,
);

async function insertErasure(tx: Sql, ctx: Context, handle: string, hash: Buffer): Promise<string | null> {
  const [row] = await tx.run(INSERT_ERASURE, {
    accountId: ctx.account.id,
    id: newId(ctx.now.getTime()),
    handle,
    hash,
    actorType: ctx.actor.type,
    actorId: actorId(ctx.actor),
    traceId: ctx.traceId,
    now: ctx.now,
    firstStep: FIRST_STEP,
  });
  return row?.id ?? null;
}

type ErasureRow = RowOf<"select-erasure">;

const SELECT_ERASURE = plannedStatement(
  "select-erasure",
  `select e.id, e.requested_at, e.erased_at, e.ended_at, e.counts, (
      select max(b.ended_at) from instance_backups b
      where b.started_at < coalesce(e.erased_at, statement_timestamp())) as backup_ended_at
  from person_erasures e
  where e.account_id = :accountId and e.handle_hash = :hash order by e.id desc limit 1`,
);

async function selectErasure(on: Sql, accountId: string, hash: Buffer): Promise<PersonErasure | null> {
  const [row] = await on.run(SELECT_ERASURE, { accountId, hash });
  return row === undefined ? null : toPersonErasure(row);
}

function toPersonErasure(row: ErasureRow): PersonErasure {
  const { id, requested_at, erased_at, ended_at, counts, backup_ended_at } = row;
  return {
    id,
    requested_at: requested_at.toISOString(),
    erased_at: erased_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
    counts,
    in_backups:
      backup_ended_at === null
        ? null
        : {
            newest: backup_ended_at.toISOString(),
            until: replacedAt(backup_ended_at)?.toISOString() ?? null,
          },
  };
}

// BACKUP_KEEP newer backups replace a backup.
function replacedAt(madeAt: Date): Date | null {
  const { BACKUP_DIR, BACKUP_KEEP, BACKUP_HOURS } = env();
  if (BACKUP_DIR === undefined || BACKUP_KEEP === 0) return null;
  return new Date(madeAt.getTime() + BACKUP_KEEP * BACKUP_HOURS * HOUR_MS);
}

const FIND_HANDLE_PEPPER = plannedStatement(
  "find-handle-pepper",
  "select handle_pepper from accounts where id = :accountId",
);

/** The last erasure of the person with a handle; null when there was none. Throws UnreadableSecret. */
export async function findErasure(accountId: string, handle: string): Promise<PersonErasure | null> {
  const [account] = await sql.run(FIND_HANDLE_PEPPER, { accountId });
  if (account?.handle_pepper == null) return null;
  return selectErasure(sql, accountId, hashHandle(accountId, account.handle_pepper, handle));
}

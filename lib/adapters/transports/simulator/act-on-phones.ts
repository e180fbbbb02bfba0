import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Action, OutAction } from "@/lib/adapters/transports/actions";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { faultOf } from "@/lib/adapters/transports/simulator/faults";
import { prisma, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { now } from "@/lib/platform/time/clock";

const SIMULATOR_ACT = statement(
  "simulator-act",
  `insert into simulator_actions (account_id, id, line_id, handles, group_ref, action, created_at)
  values (:accountId, :id, :lineId, :handles, :groupRef, :action, :now) on conflict do nothing`,
);

/**
 * Stores an action on the phones of a conversation, once per id. A phone whose fault refuses messages rejects it too.
 */
export async function actOnPhones({ id, target, action }: OutAction): Promise<void> {
  const { line, to, group } = target;
  if (CHANGES.has(action.type)) await requireChanges(line);
  const fault = group === null ? await findFault(line.accountId, to[0] ?? "") : null;
  if (fault?.answer != null && !fault.taken) {
    throw new AdapterError(fault.answer, `the phone's fault is "${fault.name}"`);
  }
  if (action.type === "unsend") return unsendOnPhones(line, action.refs);
  const { type, ...detail } = action;
  await sql.run(SIMULATOR_ACT, {
    accountId: line.accountId,
    id,
    lineId: line.id,
    handles: [...to],
    groupRef: group === null ? null : (group.ref ?? `group-${group.chatId}`),
    action: JSON.stringify({ do: type, ...detail }),
    now: now(),
  });
}

const SIMULATOR_UNSEND = statement(
  "simulator-unsend",
  `update simulator_messages set unsent_at = :now
  where account_id = :accountId and line_id = :lineId and ref = any(:refs::text[]) and unsent_at is null`,
);

/** Takes a message of the line back from all phones of its conversation. They say that a message was unsent. */
async function unsendOnPhones({ accountId, id: lineId }: LineRef, refs: readonly string[]): Promise<void> {
  await sql.run(SIMULATOR_UNSEND, { accountId, lineId, refs: [...refs], now: now() });
  sql.wake("phones");
}

const CHANGES: ReadonlySet<Action["type"]> = new Set([
  "leave",
  "add_participant",
  "remove_participant",
  "set_name",
  "set_icon",
  "set_background",
  "share_contact_card",
] as const);

async function requireChanges({ accountId, id: lineId }: LineRef): Promise<void> {
  const line = await prisma().simulatorLine.findUnique({
    where: { accountId_lineId: { accountId, lineId } },
  });
  if (line?.changesFail) throw new AdapterError("undeliverable", "the line rejects changes to chats");
}

const SIMULATOR_FAULT = statement(
  "simulator-fault",
  "select fault from simulator_phones where account_id = :accountId and handle = :handle",
);

async function findFault(accountId: string, handle: string) {
  const [phone] = await sql.run(SIMULATOR_FAULT, { accountId, handle });
  return faultOf(phone?.fault ?? null);
}

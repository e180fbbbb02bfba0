import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Action, OutAction } from "@/lib/adapters/transports/actions";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { faultOf } from "@/lib/adapters/transports/simulator/faults";
import { prisma, sql } from "@/lib/platform/database/db";
import { now } from "@/lib/platform/time/clock";

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
  const { type, ...detail } = action;
  await sql.query({
    name: "simulator-act",
    text: `insert into simulator_actions (account_id, id, line_id, handles, group_ref, action, created_at)
           values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    values: [
      line.accountId,
      id,
      line.id,
      [...to],
      group === null ? null : (group.ref ?? `group-${group.chatId}`),
      JSON.stringify({ do: type, ...detail }),
      now(),
    ],
  });
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

async function findFault(accountId: string, handle: string) {
  const [phone] = await sql.query<{ fault: string | null }>({
    name: "simulator-fault",
    text: "select fault from simulator_phones where account_id = $1 and handle = $2",
    values: [accountId, handle],
  });
  return faultOf(phone?.fault ?? null);
}

import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { prisma, sql } from "@/lib/platform/database/db";
import { plannedStatement, type RowOf } from "@/lib/platform/database/statement";
import { PhoneWithMessages, toPhone } from "@/lib/simulator/phone";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const MESSAGES_SHOWN = 20;
/** For the whole account. */
const ACTIONS_SHOWN = 200;

export const ListPhones = contract({
  summary: "List simulated phones with their recent messages",
  description:
    "Returns the simulated phones of the account, each with the messages that it recently received and sent.",
  tag: "Simulator",
  right: "view_chats",
  sandboxOnly: true,
  returns: z.object({ phones: z.array(PhoneWithMessages).describe("Simulated phones.") }).meta({
    examples: [
      {
        phones: [
          {
            handle: "+12025550123",
            name: "Ada",
            platform: "iphone",
            delay_ms: 0,
            read_receipts: true,
            read_after_ms: null,
            fault: null,
            connection: "online",
            created_at: "2026-03-01T12:00:00.000Z",
            messages: [],
            actions: [],
          },
        ],
      },
    ],
  }),
  status: 200,
  errors: ["feature_not_available"],
  extension: true,
});

type Message = PhoneWithMessages["messages"][number];

/**
 * Lists the account's phones, oldest first, each with its last 20 messages and the latest actions, newest first.
 * Errors: feature_not_available.
 */
export async function listPhones(ctx: Context): Promise<{ phones: PhoneWithMessages[] }> {
  requireSandbox(ctx);
  const [phones, messages, actions] = await Promise.all([
    prisma().simulatorPhone.findMany({
      where: { accountId: ctx.account.id },
      orderBy: [{ createdAt: "asc" }, { handle: "asc" }],
    }),
    findMessages(ctx.account.id),
    findActions(ctx.account.id),
  ]);
  return {
    phones: phones.map((phone) => ({
      ...toPhone(phone),
      messages: messages.get(phone.handle) ?? [],
      actions: actions.filter(({ handles }) => handles.includes(phone.handle)).map(toSeen),
    })),
  };
}

type ActionRow = RowOf<"list-phone-actions">;

const LIST_PHONE_ACTIONS = plannedStatement(
  "list-phone-actions",
  `select handles, action, created_at from simulator_actions
  where account_id = :accountId order by position desc limit ${ACTIONS_SHOWN}`,
);

async function findActions(accountId: string): Promise<ActionRow[]> {
  return sql.run(LIST_PHONE_ACTIONS, { accountId });
}

function toSeen({ action, created_at }: ActionRow): PhoneWithMessages["actions"][number] {
  return { action, created_at: created_at.toISOString() };
}

type MessageRow = RowOf<"list-phone-messages">;

const LIST_PHONE_MESSAGES = plannedStatement(
  "list-phone-messages",
  `select p.handle, m.ref, m.sender, l.phone_number, m.group_ref, m.service,
    case when m.unsent_at is null then m.parts else '[]' end as "parts: Record<string, unknown>[]",
    case when m.unsent_at is null then m.effect end as "effect: Record<string, unknown>", m.created_at, m.delivered_at, m.read_at
  from simulator_phones p cross join lateral (
    select * from simulator_messages s where s.account_id = p.account_id and s.handle = p.handle
    order by s.created_at desc, s.ref desc limit ${MESSAGES_SHOWN}
  ) m join lines l on l.account_id = m.account_id and l.id = m.line_id
  where p.account_id = :accountId
  order by m.created_at desc, m.ref desc`,
);

async function findMessages(accountId: string): Promise<Map<string, Message[]>> {
  const rows = await sql.run(LIST_PHONE_MESSAGES, { accountId });
  const byHandle = Map.groupBy(rows, (row) => row.handle);
  return new Map([...byHandle].map(([handle, own]) => [handle, own.map(toMessage)]));
}

function toMessage(row: MessageRow): Message {
  return {
    id: row.ref,
    from: row.sender,
    line: row.phone_number,
    group: row.group_ref,
    service: row.service,
    parts: row.parts,
    effect: row.effect,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    read_at: row.read_at?.toISOString() ?? null,
  };
}

import "server-only";
import { z } from "zod";
import { FAULT_NAMES, faultOf } from "@/lib/adapters/transports/simulator/faults";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";
import type { SimulatorPhone } from "@/lib/platform/prisma/client";
import { PhoneConnection, PhonePlatform } from "@/lib/platform/prisma/enums";
import { Handle } from "@/lib/platform/text/phone-handle";
import { ServiceType } from "@/lib/recipients/handles/chat-handle";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A handle in a path. Its `+` is literal or %2B, and never means a space. */
export const PathHandle = z
  .string()
  .transform(decode)
  .pipe(Handle)
  .meta({
    description:
      "Handle of the phone: a phone number in E.164 format or an email address. A `+` may be literal or `%2B`.",
    examples: ["+12025550123"],
  });

export const Platform = z
  .enum(PhonePlatform)
  .describe("Platform of the phone. Determines the services that the phone can receive.");
export const Connection = z
  .enum(PhoneConnection)
  .describe(
    "Connection of the phone. Messages to a phone in airplane mode or with a dead battery wait and arrive in order once the phone is online again.",
  );
export const Fault = z
  .enum(FAULT_NAMES)
  .nullable()
  .meta({
    description: "Fault that affects messages to the phone; `null` for a phone without a fault.",
    examples: [null],
  });
export const Milliseconds = z.int().min(0).max(DAY_MS);

/** A message on a phone. */
export const ReceivedMessage = z
  .object({
    id: z.string().describe("ID of the message, or a simulator ID for a message that a phone sent."),
    from: z.string().describe("Handle of the sender."),
    line: z.string().describe("Number of the line, in E.164 format."),
    group: z
      .string()
      .nullable()
      .describe("ID of the group conversation in the simulator; `null` in a direct one."),
    service: ServiceType,
    parts: z
      .array(z.record(z.string(), z.unknown()))
      .describe("Parts of the message as the phone shows them."),
    effect: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("Effect of the message; `null` if it has none."),
    created_at: z.iso.datetime().describe("When the message was written."),
    delivered_at: z.iso
      .datetime()
      .nullable()
      .describe("When the message reached the phone; `null` while it is on its way."),
    read_at: z.iso.datetime().nullable().describe("When the message was read; `null` until then."),
  })
  .meta({
    examples: [
      {
        id: "019ca9c2-4c03-7d64-bc33-5e9f40718293",
        from: "+12025550100",
        line: "+12025550100",
        group: null,
        service: "iMessage",
        parts: [{ type: "text", value: "Your table is ready." }],
        effect: null,
        created_at: "2026-03-01T12:00:00.000Z",
        delivered_at: "2026-03-01T12:00:02.000Z",
        read_at: null,
      },
    ],
  });

export const Phone = z
  .object({
    handle: z.string().describe("Phone number in E.164 format or email address of the phone."),
    name: z.string().describe("Name of the person who holds the phone."),
    platform: Platform,
    delay_ms: Milliseconds.describe("Time that a message takes to reach the phone, in milliseconds."),
    read_receipts: z.boolean().describe("`true` if the phone sends read receipts."),
    read_after_ms: Milliseconds.nullable().describe(
      "Time until the phone reads a message, in milliseconds; `null` when it reads only on request.",
    ),
    fault: Fault,
    connection: Connection,
    created_at: z.iso.datetime().describe("When the phone was created."),
  })
  .meta({
    id: "SimulatorPhone",
    description: "A simulated phone of a sandbox account.",
    examples: [
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
      },
    ],
  });

export type Phone = z.infer<typeof Phone>;

/** An action that the phone has seen, such as a reaction, an edit or a vote. `do` is its type. */
const SeenAction = z.object({
  action: z
    .looseObject({ do: z.string().describe("Type of the action, such as `react`, `edit` or `vote`.") })
    .describe("The action, by its `do`: a reaction, an edit, a vote."),
  created_at: z.iso.datetime().describe("When the action took place."),
});

/** A phone with its latest messages and actions, newest first. */
export const PhoneWithMessages = Phone.extend({
  messages: z.array(ReceivedMessage).meta({
    description: "Messages that the phone recently received and sent, newest first.",
    examples: [[]],
  }),
  actions: z.array(SeenAction).meta({
    description: "Other recent actions on the phone, such as reactions, edits and votes, newest first.",
    examples: [[]],
  }),
});

export type PhoneWithMessages = z.infer<typeof PhoneWithMessages>;

export function toPhone(row: SimulatorPhone): Phone {
  return {
    handle: row.handle,
    name: row.name,
    platform: row.platform,
    delay_ms: row.delayMs,
    read_receipts: row.readReceipts,
    read_after_ms: row.readAfterMs,
    fault: faultOf(row.fault)?.name ?? null,
    connection: row.connection,
    created_at: row.createdAt.toISOString(),
  };
}

/** Returns the account's phone of a handle. Errors: name_unknown. */
export async function findPhone(accountId: string, handle: string): Promise<SimulatorPhone> {
  const phone = await prisma().simulatorPhone.findUnique({
    where: { accountId_handle: { accountId, handle } },
  });
  return phone ?? failNoPhone(handle);
}

const OFFLINE: Readonly<Record<Exclude<PhoneConnection, "online">, string>> = {
  airplane_mode: "is in airplane mode",
  battery_dead: "has a dead battery",
};

/** As `findPhone`, for an action that needs a connection. Errors: name_unknown, state_conflict (no connection). */
export async function findOnlinePhone(accountId: string, handle: string): Promise<SimulatorPhone> {
  const phone = await findPhone(accountId, handle);
  requireConnection(handle, phone.connection);
  return phone;
}

/** Errors: state_conflict, when the phone is not online. */
export function requireConnection(handle: string, connection: PhoneConnection): void {
  if (connection === "online") return;
  fail("state_conflict", `${handle} ${OFFLINE[connection]}: set its \`connection\` to \`online\``);
}

/** Throws name_unknown for a handle without a simulated phone. */
export function failNoPhone(handle: string): never {
  return fail("name_unknown", `${handle} is not a simulated phone: create it with POST /simulator/phones`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import "server-only";
import { z } from "zod";
import { FAULT_NAMES, faultOf } from "@/lib/adapters/transports/simulator/faults";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";
import { Handle } from "@/lib/platform/phone-handle";
import type { SimulatorPhone } from "@/lib/platform/prisma/client";
import { PhonePlatform } from "@/lib/platform/prisma/enums";
import { ServiceType } from "@/lib/recipients/handles/chat-handle";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A handle in a path, its `+` literal or %2B; a `+` is never a space. */
export const PathHandle = z.string().transform(decode).pipe(Handle);

export const Platform = z.enum(PhonePlatform);
export const Fault = z.enum(FAULT_NAMES).nullable();
export const Milliseconds = z.int().min(0).max(DAY_MS);

/** A message as a phone has it. */
export const ReceivedMessage = z.object({
  /** The id of the message, or the simulator's own for what a phone wrote. */
  id: z.string(),
  from: z.string(),
  /** The line's number. */
  line: z.string(),
  /** The simulator's id of the group conversation; null in a direct one. */
  group: z.string().nullable(),
  service: ServiceType,
  parts: z.array(z.record(z.string(), z.unknown())),
  effect: z.record(z.string(), z.unknown()).nullable(),
  created_at: z.iso.datetime(),
  /** null while it is on its way. */
  delivered_at: z.iso.datetime().nullable(),
  read_at: z.iso.datetime().nullable(),
});

/** A simulated phone. */
export const Phone = z
  .object({
    handle: z.string(),
    name: z.string(),
    platform: Platform,
    delay_ms: Milliseconds,
    read_receipts: z.boolean(),
    /** null = it reads when it is told to. */
    read_after_ms: Milliseconds.nullable(),
    fault: Fault,
    created_at: z.iso.datetime(),
  })
  .meta({ id: "SimulatorPhone" });

export type Phone = z.infer<typeof Phone>;

/** What the phone has seen besides messages: a reaction, an edit, a vote, by its `do`. */
const SeenAction = z.object({ action: z.looseObject({ do: z.string() }), created_at: z.iso.datetime() });

/** A phone with what it got, wrote and saw done lately, newest first. */
export const PhoneWithMessages = Phone.extend({
  messages: z.array(ReceivedMessage),
  actions: z.array(SeenAction),
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
    created_at: row.createdAt.toISOString(),
  };
}

/** The account's phone of a handle. Errors: name_unknown. */
export async function findPhone(accountId: string, handle: string): Promise<SimulatorPhone> {
  const phone = await prisma().simulatorPhone.findUnique({
    where: { accountId_handle: { accountId, handle } },
  });
  return (
    phone ?? fail("name_unknown", `${handle} is not a simulated phone: create it with POST /simulator/phones`)
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

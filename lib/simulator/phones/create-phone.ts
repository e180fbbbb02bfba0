import "server-only";
import { z } from "zod";
import { scheduleReceiptCheck } from "@/lib/adapters/transports/simulator/report-receipts";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { prisma, sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { maxUnits } from "@/lib/platform/text/max-units";
import { Handle } from "@/lib/platform/text/phone-handle";
import { Connection, Fault, Milliseconds, Phone, Platform, toPhone } from "@/lib/simulator/phone";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

/** The time between two messages that arrive after a phone was offline. */
const CATCH_UP_MS = 40;

const NewPhone = z
  .object({
    handle: Handle.describe("Phone number in E.164 format or email address of the phone."),
    name: z
      .string()
      .min(1)
      .check(maxUnits(100))
      .optional()
      .describe("Name of the person who holds the phone. Defaults to the handle."),
    platform: Platform.optional().describe(
      "Platform of the phone. Determines the services that the phone can receive.",
    ),
    delay_ms: Milliseconds.optional().describe(
      "Time that a message takes to reach the phone, in milliseconds, up to one day.",
    ),
    read_receipts: z.boolean().optional().describe("`true` if the phone sends read receipts."),
    read_after_ms: Milliseconds.nullable()
      .optional()
      .describe(
        "Time until the phone reads a message, in milliseconds. `null`: the phone reads only on request.",
      ),
    fault: Fault.optional().describe("Fault that affects messages to the phone. `null` removes the fault."),
    connection: Connection.optional(),
  })
  .meta({ examples: [{ handle: "+12025550123", name: "Ada" }] });

export const CreatePhone = contract({
  summary: "Create or update a simulated phone",
  description:
    "Creates a simulated phone, or updates the existing phone with this handle. Omitted fields keep their values.",
  tag: "Simulator",
  right: "send_messages",
  sandboxOnly: true,
  body: NewPhone,
  returns: Phone,
  status: 201,
  errors: ["field_missing", "phone_not_e164", "parameter_invalid", "feature_not_available"],
  extension: true,
});

/**
 * Creates or changes the simulated phone of a handle. By default it is an iPhone that receives messages after 200 ms,
 * sends read receipts, and reads only on request. On an existing phone, omitted settings stay the same. A phone that
 * comes online gets the messages that waited for it, oldest first. Errors: feature_not_available, parameter_invalid (a
 * line's number).
 */
export async function createPhone(ctx: Context, phone: z.infer<typeof NewPhone>): Promise<Phone> {
  requireSandbox(ctx);
  const line = await prisma().line.findFirst({ where: { phoneNumber: phone.handle, releasedAt: null } });
  if (line !== null) fail("parameter_invalid", `handle: ${phone.handle} is a line: use another number`);

  const accountId = ctx.account.id;
  const given = {
    name: phone.name,
    platform: phone.platform,
    delayMs: phone.delay_ms,
    readReceipts: phone.read_receipts,
    readAfterMs: phone.read_after_ms,
    fault: phone.fault,
    connection: phone.connection,
    // A created phone replaces the behavior of a magic handle.
    behavior: null,
  };
  if (phone.connection === "online") await spaceWaiting(accountId, phone.handle, ctx.now);
  const row = await prisma().simulatorPhone.upsert({
    where: { accountId_handle: { accountId, handle: phone.handle } },
    create: {
      ...given,
      accountId,
      handle: phone.handle,
      name: phone.name ?? phone.handle,
      createdAt: ctx.now,
    },
    update: given,
  });
  if (phone.connection === "online") sql.wake("simulator");
  return toPhone(row);
}

const SPACE_WAITING_MESSAGES = plannedStatement(
  "space-waiting-messages",
  `with waiting as (
    select m.line_id, m.ref, ${CATCH_UP_MS} * (row_number() over (order by m.created_at, m.ref) - 1) as in_ms
    from simulator_messages m join simulator_phones p on p.account_id = m.account_id and p.handle = m.handle
    where m.account_id = :accountId and m.handle = :handle and m.due_at <= :now and p.connection <> 'online'
  )
  update simulator_messages m set due_at = :now::timestamptz + w.in_ms * interval '1 millisecond'
  from waiting w where m.account_id = :accountId and m.handle = :handle and m.line_id = w.line_id and m.ref = w.ref
  returning w.in_ms::int`,
);

// The reporter handles many receipts at once. Due times of their own keep waiting messages in order. They are set while
// the phone is still offline, so none of them is reported before.
async function spaceWaiting(accountId: string, handle: string, now: Date): Promise<void> {
  const spaced = await sql.run(SPACE_WAITING_MESSAGES, { accountId, handle, now });
  for (const { in_ms } of spaced) scheduleReceiptCheck(in_ms);
}

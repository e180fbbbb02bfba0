import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { transportOf } from "@/lib/adapters/transports/registry";
import { toAdapterError, withinTime } from "@/lib/adapters/within-time";
import { getAccountOptions } from "@/lib/identity/accounts/get-account-options";
import { findCheckingLine } from "@/lib/lines/lines/find-checking-line";
import { keepReach } from "@/lib/lines/lines/keep-reach";
import { takeCheckTurn } from "@/lib/lines/lines/take-check-turn";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type ErrorName, fail } from "@/lib/platform/errors";
import { Handle, PhoneNumber } from "@/lib/platform/phone-handle";
import type { Line } from "@/lib/platform/prisma/client";
import { ServiceType } from "@/lib/recipients/handles/chat-handle";

const TIMEOUT_MS = 10_000;

const Capability = z
  .object({
    address: z.string(),
    available: z.boolean(),
    reason: z.literal("not_supported").optional(),
    /** What a message to the address goes over. */
    selected_service: ServiceType.optional(),
  })
  .meta({ id: "HandleCheckResponse" });

const ERRORS = [
  "field_missing",
  "phone_not_e164",
  "line_not_permitted",
  "service_unavailable",
  "rate_limited",
] as const satisfies ErrorName[];

export const CheckIMessage = contract({
  summary: "Check whether an address has iMessage",
  tag: "Capability",
  scopes: ["messaging", "read_only"],
  right: "view_lines",
  body: z.object({ address: Handle, from: PhoneNumber.optional() }),
  returns: Capability,
  status: 200,
  errors: [...ERRORS, "service_not_supported", "state_conflict"],
});

export const CheckRcs = contract({
  summary: "Check whether a phone number has RCS",
  tag: "Capability",
  scopes: ["messaging", "read_only"],
  right: "view_lines",
  body: z.object({ address: PhoneNumber, from: PhoneNumber.optional() }),
  returns: Capability,
  status: 200,
  errors: [...ERRORS, "rcs_account_missing", "rcs_check_unavailable"],
});

/** Asks the line's transport whether it reaches an address by iMessage (contract.md 1.5). Errors: as `CheckIMessage`. */
export async function checkIMessage(ctx: Context, { body }: Input<typeof CheckIMessage>) {
  const line = await findCheckingLine(ctx, "iMessage", body.from);
  await takeCheckTurn(ctx.account.id, ctx.now);

  const reach = await probe(ctx, line, { handle: body.address, service: "iMessage" });
  if (reach instanceof AdapterError)
    fail("service_unavailable", "the check got no response: treat the capability as unknown");

  if (reach === "yes") return found(body.address, "iMessage");
  return notFound(body.address, await secondBest(ctx, line, body.address));
}

/**
 * Asks the line's transport whether it reaches a number by RCS (contract.md 1.5). Errors: as `CheckRcs`; a check that could
 * not run says nothing about the number.
 */
export async function checkRcs(ctx: Context, { body }: Input<typeof CheckRcs>) {
  if (!(await getAccountOptions(ctx.account.id)).rcs) {
    fail("service_unavailable", "RCS is off for the account: ask your operator to turn it on");
  }
  const line = await findCheckingLine(ctx, "RCS", body.from);
  await takeCheckTurn(ctx.account.id, ctx.now);

  const reach = await probe(ctx, line, { handle: body.address, service: "RCS" });
  if (reach instanceof AdapterError) {
    fail(reach.kind === "no_account" ? "rcs_account_missing" : "rcs_check_unavailable");
  }
  return reach === "yes" ? found(body.address, "RCS") : notFound(body.address, "SMS");
}

interface Question {
  handle: string;
  service: "iMessage" | "RCS";
}

/** What the transport says, which is kept; or why it said nothing. */
async function probe(
  ctx: Context,
  line: Line,
  { handle, service }: Question,
): Promise<"yes" | "no" | AdapterError> {
  try {
    const transport = transportOf(line.transport);
    const reach = await withinTime(TIMEOUT_MS, () => transport.probe(line, handle, service));
    if (reach === "unknown")
      return new AdapterError("unknown_outcome", "the transport does not report this capability");
    await keepReach({ accountId: ctx.account.id, handle, service, reach, at: ctx.now });
    return reach;
  } catch (error) {
    return toAdapterError(error);
  }
}

// What remains without iMessage: nothing for an e-mail address, and SMS for every number.
async function secondBest(
  ctx: Context,
  line: Line,
  handle: string,
): Promise<z.infer<typeof ServiceType> | null> {
  if (!handle.startsWith("+")) return null;
  const hasRcs = line.rcs && (await getAccountOptions(ctx.account.id)).rcs;
  return hasRcs && (await probe(ctx, line, { handle, service: "RCS" })) === "yes" ? "RCS" : "SMS";
}

function found(address: string, service: z.infer<typeof ServiceType>) {
  return { address, available: true, selected_service: service };
}

function notFound(address: string, service: z.infer<typeof ServiceType> | null) {
  const selected = service === null ? {} : { selected_service: service };
  return { address, available: false, reason: "not_supported" as const, ...selected };
}

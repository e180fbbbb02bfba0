import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { transportOf } from "@/lib/adapters/transports/registry";
import { toAdapterError, withTimeout } from "@/lib/adapters/with-timeout";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { acquireCheckSlot } from "@/lib/lines/capability/acquire-check-slot";
import { cacheCapability } from "@/lib/lines/capability/cache-capability";
import { findCheckingLine } from "@/lib/lines/capability/find-checking-line";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { outageOf } from "@/lib/platform/database/database-outage";
import { type ErrorName, fail } from "@/lib/platform/errors/errors";
import type { Line } from "@/lib/platform/prisma/client";
import { Handle, PhoneNumber } from "@/lib/platform/text/phone-handle";
import { ServiceType } from "@/lib/recipients/handles/chat-handle";

const TIMEOUT_MS = 10_000;

const Capability = z
  .object({
    address: z.string().describe("The checked phone number or email address."),
    available: z.boolean().describe("`true` if the address can receive messages over the checked service."),
    reason: z
      .literal("not_supported")
      .optional()
      .describe("Reason that the service is not available. Absent if the service is available."),
    selected_service: ServiceType.optional().describe("Service that a message to the address would use."),
  })
  .meta({
    id: "HandleCheckResponse",
    description: "Result of a capability check.",
    examples: [{ address: "+12025550123", available: true, selected_service: "iMessage" }],
  });

const ERRORS = [
  "field_missing",
  "phone_not_e164",
  "line_not_permitted",
  "service_unavailable",
  "rate_limited",
] as const satisfies ErrorName[];

export const CheckIMessage = contract({
  summary: "Check whether a handle supports iMessage",
  description:
    "Checks whether a phone number or email address can receive iMessage. The limit is one check per 10 seconds; further checks fail with 1007.",
  tag: "Capability",
  scopes: ["messaging", "read_only"],
  right: "view_lines",
  body: z
    .object({
      address: Handle.describe("Phone number in E.164 format or email address to check."),
      from: PhoneNumber.optional().describe(
        "Line to check from, in E.164 format. Defaults to the best available line.",
      ),
    })
    .meta({ examples: [{ address: "+12025550123" }] }),
  returns: Capability,
  status: 200,
  errors: [...ERRORS, "service_not_supported", "state_conflict"],
});

export const CheckRcs = contract({
  summary: "Check whether a phone number supports RCS",
  description:
    "Checks whether a phone number can receive RCS. The limit is one check per 10 seconds; further checks fail with 1007. Errors 4004, 4009 and 4010 mean that the check could not run: treat the capability as unknown.",
  tag: "Capability",
  scopes: ["messaging", "read_only"],
  right: "view_lines",
  body: z
    .object({
      address: PhoneNumber.describe("Phone number in E.164 format to check."),
      from: PhoneNumber.optional().describe(
        "Line to check from, in E.164 format. Defaults to the best available line.",
      ),
    })
    .meta({ examples: [{ address: "+12025550123" }] }),
  returns: Capability,
  status: 200,
  errors: [...ERRORS, "rcs_account_missing", "rcs_check_unavailable"],
});

/**
 * Asks the line's transport whether it can reach a handle over iMessage (docs/contract.md, section 11.4). Errors: as
 * `CheckIMessage`.
 */
export async function checkIMessage(ctx: Context, { body }: Input<typeof CheckIMessage>) {
  const line = await findCheckingLine(ctx, "iMessage", body.from);
  await acquireCheckSlot(ctx.account.id, ctx.now);

  const capability = await probe(ctx, line, { handle: body.address, service: "iMessage" });
  if (capability instanceof AdapterError)
    fail("service_unavailable", "the check got no response: treat the capability as unknown");

  if (capability === "yes") return toCapabilityResult(body.address, "iMessage");
  return notFound(body.address, await fallbackService(ctx, line, body.address));
}

/**
 * Asks the line's transport whether it can reach a number over RCS (docs/contract.md, section 11.4). A check that fails
 * says nothing about the number. Errors: as `CheckRcs`.
 */
export async function checkRcs(ctx: Context, { body }: Input<typeof CheckRcs>) {
  if (!(await findAccountOptions(ctx.account.id)).rcs) {
    fail("service_unavailable", "RCS is off for the account: ask your operator to turn it on");
  }
  const line = await findCheckingLine(ctx, "RCS", body.from);
  await acquireCheckSlot(ctx.account.id, ctx.now);

  const capability = await probe(ctx, line, { handle: body.address, service: "RCS" });
  if (capability instanceof AdapterError) {
    fail(capability.kind === "no_account" ? "rcs_account_missing" : "rcs_check_unavailable");
  }
  return capability === "yes" ? toCapabilityResult(body.address, "RCS") : notFound(body.address, "SMS");
}

interface Question {
  handle: string;
  service: "iMessage" | "RCS";
}

/** Returns the transport's response, which is cached, or the reason why there is none. Throws in a database outage. */
async function probe(
  ctx: Context,
  line: Line,
  { handle, service }: Question,
): Promise<"yes" | "no" | AdapterError> {
  try {
    const transport = transportOf(line.transport);
    const capability = await withTimeout(TIMEOUT_MS, () => transport.probe(line, handle, service));
    if (capability === "unknown")
      return new AdapterError("unknown_outcome", "the transport does not report this capability");
    await cacheCapability({ accountId: ctx.account.id, handle, service, capability, at: ctx.now });
    return capability;
  } catch (error) {
    if (outageOf(error) !== null) throw error;
    return toAdapterError(error);
  }
}

// The services available without iMessage: none for an email address, SMS for every phone number.
async function fallbackService(
  ctx: Context,
  line: Line,
  handle: string,
): Promise<z.infer<typeof ServiceType> | null> {
  if (!handle.startsWith("+")) return null;
  const hasRcs = line.rcs && (await findAccountOptions(ctx.account.id)).rcs;
  return hasRcs && (await probe(ctx, line, { handle, service: "RCS" })) === "yes" ? "RCS" : "SMS";
}

function toCapabilityResult(address: string, service: z.infer<typeof ServiceType>) {
  return { address, available: true, selected_service: service };
}

function notFound(address: string, service: z.infer<typeof ServiceType> | null) {
  const selected = service === null ? {} : { selected_service: service };
  return { address, available: false, reason: "not_supported" as const, ...selected };
}

import "server-only";
import { z } from "zod";
import { prisma } from "@/lib/platform/db";

const Cents = z.int().min(0).max(100_000_000);

/** What an account's agents may spend (Trunkline's own; the specification leaves it to the service). */
export const AgentPaySettings = z
  .object({
    /** The most of one payment, in minor units; null = no cap. */
    max_per_payment_cents: Cents.nullable(),
    /** The most of a handle's payments of one UTC day in one currency; null = no cap. */
    max_per_handle_day_cents: Cents.nullable(),
    /** Names or hosts of merchants; empty = any. */
    merchant_allow_list: z.array(z.string().trim().min(1).max(253)).max(200),
    /** Above it every payment asks for a passkey; a connection's first payment always does. */
    approval_above_cents: Cents,
  })
  .meta({ id: "AgentPaySettings" });

export type AgentPaySettings = z.infer<typeof AgentPaySettings>;

const DEFAULTS: AgentPaySettings = {
  max_per_payment_cents: null,
  max_per_handle_day_cents: null,
  merchant_allow_list: [],
  approval_above_cents: 10_000,
};

/** The account's settings, or the defaults: no caps, a passkey above 100.00. */
export async function findAgentPaySettings(accountId: string): Promise<AgentPaySettings> {
  const row = await prisma().agentPaySettings.findUnique({ where: { accountId } });
  if (row === null) return DEFAULTS;
  return {
    max_per_payment_cents: row.maxPerPaymentCents,
    max_per_handle_day_cents: row.maxPerHandleDayCents,
    merchant_allow_list: row.merchantAllowList,
    approval_above_cents: row.approvalAboveCents,
  };
}

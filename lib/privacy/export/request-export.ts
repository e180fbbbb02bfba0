import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { maxUnits } from "@/lib/platform/text/max-units";
import { consumeTicket, type ExportTicket, newTicket } from "@/lib/privacy/export/export-ticket";
import type { ExportScope } from "@/lib/privacy/export/read-rows";
import { CustomerParams } from "@/lib/recipients/handles/name-handle";

const Ticket = z.object({
  /** For the query of the download, once within a minute. */
  ticket: z.string(),
  expires_at: z.iso.datetime(),
});

const TicketQuery = z.object({ ticket: z.string().check(maxUnits(200)) });

export const RequestPersonExport = contract({
  summary: "Request the archive of a person",
  tag: "Customers",
  right: "manage_personal_data",
  proof: true,
  params: CustomerParams,
  returns: Ticket,
  status: 201,
  errors: ["access_denied", "phone_not_e164"],
});

/** Creates a ticket for the archive of a person. Recorded in the audit log. Errors: proof_required. */
export function requestPersonExport(
  ctx: Context,
  { params }: Pick<Input<typeof RequestPersonExport>, "params">,
): Promise<ExportTicket> {
  return requestExport(ctx, params.handle);
}

export const RequestAccountExport = contract({
  summary: "Request the archive of the account",
  tag: "Account",
  right: "manage_personal_data",
  proof: true,
  returns: Ticket,
  status: 201,
  errors: ["access_denied"],
});

/** Creates a ticket for the archive of the account. Recorded in the audit log. Errors: proof_required. */
export function requestAccountExport(ctx: Context): Promise<ExportTicket> {
  return requestExport(ctx, null);
}

async function requestExport(ctx: Context, handle: string | null): Promise<ExportTicket> {
  const [type, id]: ["account" | "handle", string] =
    handle === null ? ["account", ctx.account.id] : ["handle", handle];
  await transaction((tx) => recordAudit(tx, ctx, `${type}.exported`, type, id));
  return newTicket(ctx, handle);
}

export const DownloadPersonExport = contract({
  summary: "Download the archive of a person",
  tag: "Customers",
  right: "manage_personal_data",
  params: CustomerParams,
  query: TicketQuery,
  status: 200,
  errors: ["access_denied", "phone_not_e164", "field_missing"],
});

/** Returns what to export, after a check of the ticket. Errors: access_denied. */
export async function openPersonExport(
  ctx: Context,
  { params, query }: Pick<Input<typeof DownloadPersonExport>, "params" | "query">,
): Promise<ExportScope> {
  await consumeTicket(ctx, params.handle, query.ticket);
  return { accountId: ctx.account.id, handle: params.handle };
}

export const DownloadAccountExport = contract({
  summary: "Download the archive of the account",
  tag: "Account",
  right: "manage_personal_data",
  query: TicketQuery,
  status: 200,
  errors: ["access_denied", "field_missing"],
});

/** Returns what to export, after a check of the ticket. Errors: access_denied. */
export async function openAccountExport(
  ctx: Context,
  { query }: Pick<Input<typeof DownloadAccountExport>, "query">,
): Promise<ExportScope> {
  await consumeTicket(ctx, null, query.ticket);
  return { accountId: ctx.account.id, handle: null };
}

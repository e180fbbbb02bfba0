import { z } from "zod";
import type { AccountRef, Context } from "@/lib/platform/context";
import { prisma } from "@/lib/platform/database/db";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";

/**
 * Commands by name. Each parses its options, runs, and returns the text to print. Throws ZodError, ApiError or Error.
 */
export type Commands = Readonly<Record<string, (options: Record<string, unknown>) => Promise<string>>>;

export const Name = z.string().trim().min(1).max(100);

/** Throws for an unknown id. */
export async function findAccount(id: string): Promise<AccountRef> {
  const account = await prisma().account.findUnique({ where: { id } });
  if (account === null) throw new Error(`no account has the ID ${id}: see \`npm run admin -- list\``);
  return toAccountRef(account);
}

export function toAccountRef({ id, partnerId, type }: AccountRef): AccountRef {
  return { id, partnerId, type };
}

/** The context of a change that the operator of the instance makes. */
export function systemContext(account: AccountRef): Context {
  return { account, actor: { type: "system" }, traceId: newTraceId(), now: now() };
}

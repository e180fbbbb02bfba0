import "server-only";
import { prisma } from "@/lib/platform/db";
import { fail } from "@/lib/platform/errors";

/** Why a chat of this account was not found: another account's answers access_denied, else chat_not_found. */
export async function throwNotFoundOrDenied(chatId: string): Promise<never> {
  const foreign = await prisma().chat.findFirst({ where: { id: chatId }, select: { id: true } });
  return fail(foreign === null ? "chat_not_found" : "access_denied");
}

import "server-only";
import { prisma } from "@/lib/platform/database/db";
import { fail } from "@/lib/platform/errors/errors";

/** Throws access_denied when the chat belongs to another account, else chat_not_found. */
export async function throwNotFoundOrDenied(chatId: string): Promise<never> {
  const foreign = await prisma().chat.findFirst({ where: { id: chatId }, select: { id: true } });
  return fail(foreign === null ? "chat_not_found" : "access_denied");
}

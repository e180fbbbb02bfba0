import "server-only";
import { z } from "zod";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** An item of chats.list (Sources/imsg/OutputModels.swift of openclaw/imsg, `ChatPayload`). */
export const ImsgChat = z.object({
  id: z.int(),
  identifier: z.string().catch(""),
  guid: z.string().catch(""),
  service: z.string().catch(""),
  is_group: z.boolean().catch(false),
  last_message_at: z.string().catch(""),
  account_login: z.string().optional().catch(undefined),
  last_addressed_handle: z.string().optional().catch(undefined),
});

export type ImsgChat = z.infer<typeof ImsgChat>;

/** Chats that just got a message are at the top of the list. The second look is for all others. */
const LOOKS = [30, 1000];

/** The chats of a Mac. */
export interface ImsgChats {
  /**
   * The chat with an id; null when there is none. The service of a chat changes with its messages, so it is read after
   * `since`, by `performance.now()`. Rows that arrived together share a look.
   */
  find(id: number, since: number): Promise<ImsgChat | null>;
  /** The newest direct chat with a person; null when there is none. */
  findDirect(isPerson: (identifier: string) => boolean): Promise<ImsgChat | null>;
}

/** Reads chats with `list`, which returns the newest first. */
export function createChats(list: (limit: number) => Promise<ImsgChat[]>): ImsgChats {
  const looks = new Map<number, { at: number; chats: Promise<ImsgChat[]> }>();

  function look(limit: number, since: number): Promise<ImsgChat[]> {
    const known = looks.get(limit);
    if (known !== undefined && known.at >= since) return known.chats;
    const chats = list(limit);
    looks.set(limit, { at: performance.now(), chats });
    chats.catch(() => looks.delete(limit));
    return chats;
  }

  async function search(since: number, isWanted: (chat: ImsgChat) => boolean): Promise<ImsgChat | null> {
    for (const limit of LOOKS) {
      const chats = await look(limit, since);
      const found = chats.find(isWanted);
      if (found !== undefined) return found;
      if (chats.length < limit) return null;
    }
    return null;
  }

  return {
    find: (id, since) => search(since, (chat) => chat.id === id),
    findDirect: (isPerson) =>
      search(performance.now(), (chat) => !chat.is_group && isPerson(chat.identifier)),
  };
}

/**
 * The service of a chat. Since macOS 26 its GUID begins with `any` for every service, so the item of the chat decides,
 * and the GUID only where there is no item.
 */
export function serviceOf(chat: Pick<ImsgChat, "service"> | null, chatGuid: string): ServiceType {
  return toService(chat?.service) ?? toService(chatGuid.split(";")[0]) ?? "iMessage";
}

/** The service by its name in Messages; null for another one. */
export function toService(name: string | null | undefined): ServiceType | null {
  if (name === "SMS" || name === "RCS") return name;
  return name === "iMessage" || name === "iMessageLite" ? "iMessage" : null;
}

import { BookOpen, MessagesSquare } from "lucide-react";
import { chatTitle } from "@/components/chats/chat-list-item";
import { searchDocs } from "@/components/docs/search-docs";
import type { PaletteCommand } from "@/components/shell/command-palette";
import { apiFetch } from "@/lib/client/api-fetch";
import { queryString } from "@/lib/client/query-string";
import type { Conversation } from "@/lib/messaging/chats/list-conversations";

/** Results of the documentation beside the chats. */
const DOCS_SHOWN = 5;

type SearchOptions = { signal: AbortSignal; open: (href: string) => void };

/** Searches chats on the server and the documentation in the browser for the command palette. */
export async function searchPalette(
  text: string,
  { signal, open }: SearchOptions,
): Promise<PaletteCommand[]> {
  const path = `/api/chats${queryString({ search: text, limit: 6 })}`;
  const [{ conversations }, pages] = await Promise.all([
    apiFetch<{ conversations: Conversation[] }>(path, { signal }),
    // The chats are shown even if the index of the documentation could not be loaded.
    searchDocs(text).catch(() => []),
  ]);
  const chats = conversations.map(({ chat }) => ({
    id: chat.id,
    label: chatTitle(chat),
    icon: MessagesSquare,
    hint: chat.service ?? undefined,
    run: () => open(`/chats/${chat.id}`),
  }));
  const documents = pages.slice(0, DOCS_SHOWN).map(({ href, title, heading, group }) => ({
    id: href,
    label: heading === "" ? title : `${title}: ${heading}`,
    icon: BookOpen,
    hint: group,
    run: () => open(href),
  }));
  return [...chats, ...documents];
}

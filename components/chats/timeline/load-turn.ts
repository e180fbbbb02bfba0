import { apiFetch } from "@/lib/client/api-fetch";
import { loadTogether } from "@/lib/client/load-together";
import type { ChatTurn } from "@/lib/messaging/turns/list-chat-turns";

/** The turns of several subscriptions close one after the other. */
const GATHER_MS = 100;

const loaders = new Map<string, (turnId: string) => Promise<ChatTurn | null>>();

/**
 * Reads a closed turn of a chat; null when it can't be read. Turns that are asked for within 100 ms share a request.
 */
export async function loadTurn(chatId: string, turnId: string): Promise<ChatTurn | null> {
  const load = loaders.get(chatId) ?? loadTogether((ids) => readTurns(chatId, ids), GATHER_MS);
  loaders.set(chatId, load);
  // The page has the turn when it is read again.
  return load(turnId).catch(() => null);
}

async function readTurns(chatId: string, ids: readonly string[]): Promise<Map<string, ChatTurn>> {
  const path = `/api/chats/${chatId}/turns?ids=${ids.join()}`;
  const { turns } = await apiFetch<{ turns: ChatTurn[] }>(path);
  return new Map(turns.map((turn) => [turn.id, turn]));
}

import type { Draft } from "@/components/composer/draft";
import { beginAttempt, endAttempt } from "@/components/composer/schedule-attempt";
import { toContent } from "@/components/composer/to-content";
import { ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import { senderHeader } from "@/lib/identity/sessions/sender";

/** No message has the key any more: it was scheduled, and canceled since. */
const NOT_FOUND = 2002;

/** The answer; `send_at` is absent when the message was sent. */
type Scheduled = { message: { id: string; send_at?: string } };

type Scheduling = { sender: string; chatId: string; draft: Draft; at: Date };

/**
 * Schedules a draft for a time. A repeated attempt schedules nothing twice: it moves what one whose answer was lost has
 * scheduled. False when the message was sent meanwhile. Throws ApiFailure.
 */
export async function scheduleDraft({ sender, chatId, draft, at }: Scheduling): Promise<boolean> {
  const send_at = at.toISOString();
  const headers = senderHeader(sender);
  const message = { ...toContent(draft), idempotency_key: beginAttempt(chatId, draft) };
  try {
    const path = `/api/chats/${chatId}/messages`;
    const sent = await apiFetch<Scheduled>(path, { method: "POST", body: { message, send_at }, headers });
    const { id, send_at: until } = sent.message;
    if (until !== undefined && until !== send_at) await move(id, send_at, headers);
    endAttempt(chatId);
    return until !== undefined;
  } catch (error) {
    if (error instanceof ApiFailure && error.code === NOT_FOUND) endAttempt(chatId);
    throw error;
  }
}

function move(id: string, send_at: string, headers: Record<string, string>): Promise<unknown> {
  return apiFetch(`/api/scheduled-messages/${id}`, { method: "PATCH", body: { send_at }, headers });
}

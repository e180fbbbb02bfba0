import "server-only";
import { z } from "zod";
import type { ClaimedAction } from "@/lib/actions/claim-actions";
import { askAboutMessage } from "@/lib/messages/ask-about-message";

const EditPayload = z.object({ part: z.int(), text: z.string() });

/** A text part of a message of ours gets another text. */
export const editAction = {
  payload: EditPayload,
  ask: (action: ClaimedAction, { part, text }: z.infer<typeof EditPayload>) =>
    askAboutMessage(action, (ref) => ({ do: "edit", ref, part, text })),
};

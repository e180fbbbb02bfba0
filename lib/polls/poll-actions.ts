import "server-only";
import { z } from "zod";
import type { ClaimedAction } from "@/lib/actions/claim-actions";
import { askAboutMessage } from "@/lib/messages/ask-about-message";

const OptionsPayload = z.object({ options: z.array(z.object({ id: z.string(), text: z.string() })) });

/** A poll gets more options. */
export const addPollOptionsAction = {
  payload: OptionsPayload,
  ask: (action: ClaimedAction, { options }: z.infer<typeof OptionsPayload>) =>
    askAboutMessage(action, (ref) => ({ do: "add_poll_options", ref, options })),
};

const VotePayload = z.object({ option: z.string(), is_removed: z.boolean() });

/** Our line votes in a poll, or takes its vote back. */
export const voteAction = {
  payload: VotePayload,
  ask: (action: ClaimedAction, { option, is_removed }: z.infer<typeof VotePayload>) =>
    askAboutMessage(action, (ref) => ({ do: "vote", ref, optionId: option, isRemoved: is_removed })),
};

import "server-only";
import { z } from "zod";
import type { ActionFailure } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy } from "@/lib/messaging/chats/change-by-action";
import { recordActionFailed } from "@/lib/messaging/chats/change-chat";
import { type LockedMessage, lockMessage } from "@/lib/messaging/messages/locked-message";
import { requestForMessage } from "@/lib/messaging/messages/request-for-message";
import { changeVote } from "@/lib/messaging/polls/change-vote";
import { findOptions } from "@/lib/messaging/polls/poll-event";
import { undoOptions } from "@/lib/messaging/polls/undo-options";
import { type Sql, sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

const OptionsPayload = z.object({ options: z.array(z.object({ id: z.string(), text: z.string() })) });

type Failed<Payload> = { action: ClaimedAction; payload: Payload; at: Date } & ActionFailure;

/** Adds options to a poll. Options that the network rejects are recorded and removed again. */
export const addPollOptionsAction = {
  payload: OptionsPayload,
  buildRequest: (action: ClaimedAction, { options }: z.infer<typeof OptionsPayload>) =>
    requestForMessage(action, (ref) => ({ type: "add_poll_options", ref, options })),
  async failed(tx: Sql, failed: Failed<z.infer<typeof OptionsPayload>>) {
    const message = await noteRefused(tx, failed);
    if (message === null) return;
    await undoOptions(tx, message, { refs: failed.payload.options.map(({ id }) => id), at: failed.at });
  },
};

const VotePayload = z.object({ option: z.string(), is_removed: z.boolean() });

type VotePayload = z.infer<typeof VotePayload>;

/** Adds or removes the line's vote in a poll. A rejection by the network is recorded, and the vote is restored. */
export const voteAction = {
  payload: VotePayload,
  buildRequest: (action: ClaimedAction, { option, is_removed }: VotePayload) =>
    requestForMessage(action, async (ref) => {
      const position = await findPosition(action, option);
      return { type: "vote", ref, optionId: option, position, isRemoved: is_removed };
    }),
  async failed(tx: Sql, failed: Failed<VotePayload>) {
    const message = await noteRefused(tx, failed);
    if (message === null || (await dropReverse(tx, failed))) return;
    const { action, payload, at } = failed;
    const option = (await findOptions(tx, message)).find(({ ref }) => ref === payload.option);
    if (option === undefined) return;
    const change = { who: message.me, traceId: action.trace_id, at };
    await changeVote(tx, message, { change, optionId: option.id, isRemoved: !payload.is_removed });
  },
};

const FIND_OPTION_POSITION = statement(
  "find-option-position",
  `select count(*)::int as position from poll_options before
  where before.account_id = :accountId and before.message_id = :messageId and before.id < (
    select o.id from poll_options o where o.account_id = :accountId and o.message_id = :messageId and o.ref = :option)`,
);

/** The place of an option among the options of its poll. */
async function findPosition({ account_id, message_id }: ClaimedAction, option: string): Promise<number> {
  const [row] = await sql.run(FIND_OPTION_POSITION, { accountId: account_id, messageId: message_id, option });
  return row?.position ?? 0;
}

/** Records the failure. Returns the poll if the phones are certainly unchanged. */
async function noteRefused(
  tx: Sql,
  { action, at, error, reason }: Failed<unknown>,
): Promise<LockedMessage | null> {
  await recordActionFailed(tx, changedBy(action, at), { kind: action.kind, error, reason });
  return error === "send_timed_out" ? null : lockMessage(tx, action.account_id, action.message_id ?? "");
}

const DROP_REVERSE_VOTE = statement(
  "drop-reverse-vote",
  `delete from chat_actions where account_id = :accountId and id = (
    select id from chat_actions
    where account_id = :accountId and chat_id = :chatId and message_id = :messageId and kind = 'vote' and position > :position
      and payload->>'option' = :option and (payload->>'is_removed')::boolean <> :isRemoved
    order by position limit 1)
  returning id`,
);

// Votes for one option alternate, so the next one only requests the state that the phones still have.
async function dropReverse(tx: Sql, { action, payload }: Failed<VotePayload>): Promise<boolean> {
  const rows = await tx.run(DROP_REVERSE_VOTE, {
    accountId: action.account_id,
    chatId: action.chat_id,
    messageId: action.message_id,
    position: action.position,
    option: payload.option,
    isRemoved: payload.is_removed,
  });
  return rows.length > 0;
}

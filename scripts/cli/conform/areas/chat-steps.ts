import { ofRecipient } from "@/scripts/cli/conform/areas/account-steps";
import type { Step } from "@/scripts/cli/conform/areas/operation-step";
import { uploadSound } from "@/scripts/cli/conform/areas/upload-sound";
import type { World } from "@/scripts/cli/conform/run";
import { untilDelivered } from "@/scripts/cli/conform/until-delivered";

/** A message with one text. */
export function textMessage(value: string, more: object = {}): object {
  return { parts: [{ type: "text", value }], ...more };
}

const direct = { status: 409, codes: [2023] };
/** Over SMS, there are no reactions, or no reaction that could be removed. */
const notOverSms = { tolerated: [2017, 2015] };
const notSharing = { status: 404, codes: [2031] };
/** Later than the run can last. */
export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Calls about a chat with the named recipient and its messages. */
export const CHAT_STEPS: readonly Step[] = [
  {
    op: "POST /v3/chats",
    needs: ["recipient", "line"],
    body: ({ line, recipient }) => ({
      from: line,
      to: [recipient],
      message: textMessage("Conformance test"),
    }),
  },
  { op: "GET /v3/chats/{chatId}" },
  {
    op: "POST /v3/chats/{chatId}/messages",
    body: () => ({ message: textMessage("Conformance test: a message") }),
    keep: { messageId: "message.id" },
  },
  {
    op: "POST /v3/messages",
    needs: ["recipient"],
    body: ({ recipient, messageKey }) => ({
      to: [recipient],
      message: textMessage("Conformance test: any line", { idempotency_key: messageKey }),
    }),
  },
  {
    op: "GET /v3/messages",
    query: ({ messageKey }) => `idempotency_key=${messageKey}`,
    needs: ["messageId"],
  },
  { op: "GET /v3/messages/{messageId}" },
  { op: "GET /v3/messages/{messageId}/thread" },
  { op: "GET /v3/chats/{chatId}/messages" },
  {
    op: "PATCH /v3/messages/{messageId}",
    before: async (run) => void (await untilDelivered(run, run.world.messageId)),
    body: () => ({ text: "Conformance test: an edited message" }),
    expect: { tolerated: [2017, 2015] },
  },
  {
    op: "POST /v3/messages/{messageId}/reactions",
    body: () => ({ operation: "add", type: "love" }),
    expect: notOverSms,
  },
  {
    op: "POST /v3/messages/{messageId}/reactions",
    as: "remove",
    body: () => ({ operation: "remove", type: "love" }),
    expect: notOverSms,
  },
  {
    op: "PATCH /v3/messages/{messageId}/reactions/{reactionId}",
    path: ({ unknownId }) => ({ reactionId: unknownId }),
    needs: ["messageId"],
    body: () => ({ placement: { x: 0.5, y: 0.5 } }),
    expect: { status: 404 },
  },
  { op: "POST /v3/chats/{chatId}/read", isOwnOnly: true },
  { op: "POST /v3/chats/{chatId}/typing", isOwnOnly: true },
  { op: "DELETE /v3/chats/{chatId}/typing", isOwnOnly: true },
  {
    op: "PUT /v3/chats/{chatId}",
    isOwnOnly: true,
    body: () => ({ display_name: "Test" }),
    expect: { status: 409, codes: [1006] },
  },
  { op: "POST /v3/chats/{chatId}/leave", isOwnOnly: true, expect: direct },
  { op: "POST /v3/chats/{chatId}/participants", isOwnOnly: true, body: ofRecipient, expect: direct },
  { op: "DELETE /v3/chats/{chatId}/participants", isOwnOnly: true, body: ofRecipient, expect: direct },
  {
    op: "DELETE /v3/chats/{chatId}/participants/{handle}",
    isOwnOnly: true,
    path: ofRecipient,
    needs: ["chatId", "recipient"],
    expect: direct,
  },
  {
    ...{ op: "POST /v3/chats/{chatId}/share_contact_card", isOwnOnly: true },
    expect: { tolerated: [2012, 2017] },
  },
  {
    ...{ op: "POST /v3/chats/{chatId}/location/request", isOwnOnly: true },
    expect: { tolerated: [2015, 2017] },
  },
  { op: "GET /v3/chats/{chatId}/location" },
  { ...{ op: "DELETE /v3/chats/{chatId}/location", isOwnOnly: true }, expect: notSharing },
  { ...{ op: "POST /v3/chats/{chatId}/location/stop", isOwnOnly: true }, expect: notSharing },
  {
    ...{ op: "POST /v3/chats/{chatId}/background", isOwnOnly: true },
    body: () => ({ type: "color", variant: "mango" }),
  },
  { op: "DELETE /v3/chats/{chatId}/background", isOwnOnly: true },
  {
    op: "POST /v3/chats/{chatId}/polls",
    body: () => ({ poll: { options: [{ text: "One" }, { text: "Two" }] } }),
    expect: { tolerated: [2017] },
    keep: { pollId: "message_id", optionId: "poll.options.0.option_id" },
  },
  { op: "GET /v3/messages/{messageId}/poll", path: ofPoll, needs: ["pollId"] },
  {
    op: "POST /v3/messages/{messageId}/poll/options",
    path: ofPoll,
    needs: ["pollId"],
    body: () => ({ options: [{ text: "Three" }] }),
  },
  {
    op: "POST /v3/messages/{messageId}/poll/votes",
    path: ofPoll,
    needs: ["pollId", "optionId"],
    body: ({ optionId }) => ({ operation: "add", option_id: optionId }),
  },
  {
    op: "POST /v3/chats/{chatId}/voicememo",
    needs: ["soundId"],
    body: ({ soundId }) => ({ attachment_id: soundId }),
    before: uploadSound,
  },
  {
    op: "POST /v3/chats/{chatId}/messages",
    as: "card",
    body: () => ({ message: { parts: [CARD] } }),
    expect: { tolerated: [2018, 4005] },
    keep: { cardId: "message.id" },
  },
  {
    op: "POST /v3/messages/{messageId}/update",
    path: ({ cardId }) => ({ messageId: String(cardId) }),
    needs: ["cardId"],
    before: async (run) => void (await untilDelivered(run, run.world.cardId)),
    body: () => ({ layout: { caption: "Round 2" } }),
    expect: { tolerated: [2015] },
  },
  { op: "POST /v3/messages/{messageId}/unsend", expect: { tolerated: [2015, 2017] } },
  {
    op: "POST /v3/chats/{chatId}/messages",
    as: "scheduled",
    isOwnOnly: true,
    needs: ["scheduledMessages"],
    body: () => ({ message: textMessage("Conformance test: later"), send_at: inAnHour() }),
    keep: { scheduledId: "message.id" },
  },
  { op: "GET /v3/scheduled_messages/{messageId}", path: ofScheduled, needs: ["scheduledId"] },
  {
    op: "PATCH /v3/scheduled_messages/{messageId}",
    path: ofScheduled,
    needs: ["scheduledId"],
    body: () => ({ send_at: inAnHour() }),
    // The message that replaces it has another ID.
    keep: { scheduledId: "id" },
  },
  { op: "DELETE /v3/scheduled_messages/{messageId}", path: ofScheduled, needs: ["scheduledId"] },
  { op: "DELETE /v3/messages/{messageId}" },
];

const CARD = {
  type: "imessage_app",
  app: { bundle_id: "com.example.conform", name: "Conform", team_id: "ABCDE12345" },
  layout: { caption: "Round 1" },
};

function ofPoll({ pollId = "" }: World) {
  return { messageId: String(pollId) };
}

function ofScheduled({ scheduledId = "" }: World) {
  return { messageId: String(scheduledId) };
}

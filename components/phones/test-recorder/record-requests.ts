import type { PhoneRequests } from "@/components/phones/phone-requests";
import type { RecordedStep } from "@/components/phones/test-recorder/recorded-step";
import type { PhoneChat } from "@/lib/simulator/phones/phone-views";

interface RecordedPhoneContext {
  phone: string;
  chats: readonly PhoneChat[];
  onStep: (step: RecordedStep) => void;
}

interface WriteBody {
  to?: string;
  text?: string;
  also_to?: readonly string[];
  effect?: { name?: string };
  parts?: readonly WrittenPart[];
}

interface WrittenPart {
  filename?: string;
  sticker?: boolean;
  voice_memo?: boolean;
  options?: readonly { text: string }[];
}

/** The images that `sendsImage` stands for. Other files are left out. */
const IMAGE_NAME = /\.(jpe?g|png|gif|webp|heic)$/i;

/** The requests of a phone, each of which is also reported as a step once it succeeded. */
export function recordRequests(
  requests: PhoneRequests,
  { phone, chats, onStep }: RecordedPhoneContext,
): PhoneRequests {
  const placeOf = (chat: PhoneChat | undefined) => ({
    phone,
    line: chat?.line ?? "",
    chatId: chat?.chat_id ?? null,
    others: othersOf(chat, phone),
  });
  const chatOf = (chatId: string) => chats.find(({ chat_id }) => chat_id === chatId);
  const chatWith = (messageId: string) =>
    chats.find(({ messages }) => messages.some(({ message_id }) => message_id === messageId));
  const conversationWith = (to: string) =>
    chatOf(to) ?? chats.find(({ line, is_group }) => line === to && !is_group);
  /** The conversation with a line or a chat, which may be new. */
  const placeWith = (to: string) => {
    const known = conversationWith(to);
    return known === undefined ? { phone, line: to, chatId: null, others: [] } : placeOf(known);
  };
  const skip = (what: string) => onStep({ type: "skipped", phone, what });

  return {
    ...requests,
    async change(settings) {
      const changed = await requests.change(settings);
      if (settings.connection !== undefined)
        onStep({ type: "connects", phone, connection: settings.connection });
      else skip("a change of the phone's settings");
      return changed;
    },
    async write(body) {
      const written = await requests.write(body);
      const { to = "", text, also_to = [], effect, parts }: WriteBody = body;
      const known = conversationWith(to);
      const sent = {
        ...(also_to.length > 0 || known === undefined
          ? { phone, line: to, chatId: written.chat_id, others: also_to }
          : placeOf(known)),
        messageId: written.message_id,
        isNewGroup: also_to.length > 0,
      };
      const [part, ...more] = parts ?? [];
      if (text !== undefined) onStep({ ...sent, type: "says", text, effect: effect?.name ?? null });
      else if (part?.voice_memo === true) onStep({ ...sent, type: "sendsVoiceMemo" });
      else if (part?.filename !== undefined && more.length === 0 && IMAGE_NAME.test(part.filename))
        onStep({
          ...sent,
          type: "sendsImage",
          filename: part.filename,
          isSticker: part.sticker === true,
        });
      else if (part?.options !== undefined)
        onStep({ ...sent, type: "sendsPoll", options: part.options.map((option) => option.text) });
      else skip("a message that is not a text, an image, a voice memo or a poll");
      return written;
    },
    async edit(body) {
      const answer = await requests.edit(body);
      onStep({
        ...placeOf(chatWith(body.message_id)),
        type: "edits",
        messageId: body.message_id,
        text: body.text,
      });
      return answer;
    },
    async unsend(messageId) {
      const answer = await requests.unsend(messageId);
      onStep({ ...placeOf(chatWith(messageId)), type: "unsends", messageId });
      return answer;
    },
    async react(body) {
      const answer = await requests.react(body);
      onStep({
        ...placeOf(chatWith(body.message_id)),
        type: "reacts",
        messageId: body.message_id,
        reaction: body.type,
        emoji: body.custom_emoji ?? null,
        isRemoved: body.operation === "remove",
      });
      return answer;
    },
    async read(chatId) {
      const answer = await requests.read(chatId);
      onStep({ ...placeOf(chatOf(chatId)), type: "reads" });
      return answer;
    },
    async leave(chatId) {
      const answer = await requests.leave(chatId);
      onStep({ ...placeOf(chatOf(chatId)), type: "leaves" });
      return answer;
    },
    async rename(chatId, name) {
      const answer = await requests.rename(chatId, name);
      if (name === null) skip("the removal of a group's name");
      else onStep({ ...placeOf(chatOf(chatId)), type: "renames", name });
      return answer;
    },
    async vote(body) {
      const answer = await requests.vote(body);
      const chat = chatWith(body.message_id);
      const message = chat?.messages.find(({ message_id }) => message_id === body.message_id);
      const option = message?.poll?.options.findIndex(({ option_id }) => option_id === body.option_id) ?? -1;
      if (option < 0) skip("a vote in a poll that the phone no longer shows");
      else {
        const isRemoved = body.operation === "remove";
        onStep({ ...placeOf(chat), type: "votes", messageId: body.message_id, option, isRemoved });
      }
      return answer;
    },
    async addOption(messageId, text) {
      const answer = await requests.addOption(messageId, text);
      onStep({ ...placeOf(chatWith(messageId)), type: "addsOption", messageId, text });
      return answer;
    },
    async addMember(chatId, member) {
      const answer = await requests.addMember(chatId, member);
      onStep({ ...placeOf(chatOf(chatId)), type: "addsMember", member });
      return answer;
    },
    async removeMember(chatId, member) {
      const answer = await requests.removeMember(chatId, member);
      onStep({ ...placeOf(chatOf(chatId)), type: "removesMember", member });
      return answer;
    },
    async shareLocation(body) {
      const answer = await requests.shareLocation(body);
      const endsInSeconds = body.ends_in_seconds ?? null;
      onStep({ ...placeWith(body.to), type: "sharesLocation", position: body.position, endsInSeconds });
      return answer;
    },
    async moveLocation(body) {
      const answer = await requests.moveLocation(body);
      onStep({ ...placeWith(body.to), type: "movesLocation", position: body.position });
      return answer;
    },
    async stopSharing(to) {
      const answer = await requests.stopSharing(to);
      onStep({ ...placeWith(to), type: "stopsSharing" });
      return answer;
    },
  };
}

/** The members of a group besides the line and the phone; none in a direct conversation. */
export function othersOf(chat: PhoneChat | undefined, phone: string): string[] {
  if (chat === undefined || !chat.is_group) return [];
  return chat.members
    .filter(({ handle, is_line }) => !is_line && handle !== phone)
    .map(({ handle }) => handle);
}

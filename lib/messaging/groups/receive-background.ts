import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { insertChatImage } from "@/lib/messaging/chats/stored-image";
import { emitBackgroundUpdated } from "@/lib/messaging/groups/background-action";
import { receiveChange } from "@/lib/messaging/groups/receive-change";
import { withReceivedImage } from "@/lib/messaging/groups/receive-image";

/** Records that a contact set or removed the chat's background: emits chat.background_updated. */
export async function receiveBackground(line: LineRef, event: InEvent<"background">): Promise<void> {
  const { image: photo, ...look } = event.background ?? {};
  await withReceivedImage(line, photo ?? null, (file) =>
    receiveChange(line, event, async (tx, { chat, isGroup, party, by }) => {
      const image = file && (await insertChatImage(tx, chat, file));
      const background = event.background && {
        type: event.background.type,
        ...look,
        ...(image && { image }),
      };
      await emitBackgroundUpdated(tx, chat, background, { me: party.me, by, isGroup });
    }),
  );
}

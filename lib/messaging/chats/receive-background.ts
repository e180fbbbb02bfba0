import "server-only";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { tellBackground } from "@/lib/messaging/chats/background-action";
import { receiveChange } from "@/lib/messaging/chats/receive-change";
import { withReceivedPicture } from "@/lib/messaging/chats/receive-picture";
import { keepPicture } from "@/lib/messaging/chats/stored-picture";

/** A contact set the chat's background, or removed it: chat.background_updated. */
export async function receiveBackground(line: LineRef, event: InEvent<"background">): Promise<void> {
  const { image: picture, ...look } = event.background ?? {};
  await withReceivedPicture(line, picture ?? null, (file) =>
    receiveChange(line, event, async (tx, { chat, isGroup, party, by }) => {
      const image = file && (await keepPicture(tx, chat, file));
      const background = event.background && {
        type: event.background.type,
        ...look,
        ...(image && { image }),
      };
      await tellBackground(tx, chat, background, { me: party.me, by, isGroup });
    }),
  );
}

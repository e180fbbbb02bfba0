import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Position } from "@/lib/adapters/transports/inbound";
import type { UpstreamApi } from "@/lib/adapters/transports/upstream/upstream-api";
import { findDirectChat } from "@/lib/adapters/transports/upstream/upstream-chats";

const Located = z.object({
  data: z.object({
    features: z.array(
      z.object({
        geometry: z.object({ coordinates: z.array(z.number()).min(2) }),
        properties: z.looseObject({
          handle: z.string().nullish(),
          address: z.string().nullish(),
          locality: z.string().nullish(),
          updated_at: z.string().nullish(),
        }),
      }),
    ),
  }),
});

/** A person's position and when it was measured. */
interface Located {
  position: Position;
  at: Date | null;
}

/**
 * Reads where a person is who shares a location with the line; null when the upstream does not show a position. Throws
 * AdapterError when the upstream can't be reached.
 */
export async function findPosition(
  api: UpstreamApi,
  { shared_by, chat_id }: { shared_by: string; chat_id?: string | null | undefined },
): Promise<Located | null> {
  try {
    const chatId = chat_id ?? (await findDirectChat(api, shared_by));
    if (chatId === null) return null;
    const { data } = await api.call(`GET /v3/chats/${chatId}/location`, { schema: Located });
    const feature = data.features.find(({ properties }) => (properties.handle ?? shared_by) === shared_by);
    if (feature === undefined) return null;
    const [longitude = 0, latitude = 0, altitude = null] = feature.geometry.coordinates;
    const { address = null, locality = null, updated_at } = feature.properties;
    const at = updated_at == null ? null : new Date(updated_at);
    return { position: { longitude, latitude, altitude, address, locality }, at };
  } catch (error) {
    // Without the feature, or without the chat, there is no position to show.
    if (error instanceof AdapterError && error.kind === "rejected") return null;
    throw error;
  }
}

import "server-only";
import { z } from "zod";
import { defineEvents } from "@/lib/events/catalog/define-events";
import { EventMedia, mediaUrlOrNull } from "@/lib/events/catalog/event-media";
import { EventTime } from "@/lib/events/catalog/event-time";
import { EXAMPLE_CHAT_ID, EXAMPLE_IMAGE, EXAMPLE_TIME } from "@/lib/events/catalog/example-data";
import { payload, plainPayload } from "@/lib/events/catalog/payload";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";
import { EXAMPLE_CONTACT } from "@/lib/recipients/handles/example-handles";

const changeShape = {
  chat_id: z.uuid().describe("ID of the chat."),
  changed_by_handle: ChatHandle.nullable().describe("Participant who made the change; `null` when unknown."),
  updated_at: EventTime.describe("When the change was made."),
};

const GroupChange = z
  .object({
    ...changeShape,
    old_value: z
      .string()
      .nullable()
      .describe("The earlier name, or URL of the earlier icon; `null` when there was none."),
    new_value: z
      .string()
      .nullable()
      .describe("The new name, or URL of the new icon; `null` when it was removed."),
  })
  .meta({ id: "ChatGroupUpdatedEvent" });

const IconData = z.object({
  ...changeShape,
  old_icon: EventMedia.nullable(),
  new_icon: EventMedia.nullable(),
});

const EXAMPLE = {
  chat_id: EXAMPLE_CHAT_ID,
  changed_by_handle: EXAMPLE_CONTACT,
  updated_at: EXAMPLE_TIME,
};

/** `data` of chat.group_name_updated (docs/contract.md, section 12.5). */
const groupNamePayload = plainPayload(GroupChange, {
  ...EXAMPLE,
  old_value: null,
  new_value: "Friday dinner",
});

/** `data` of chat.group_icon_updated (docs/contract.md, section 12.5). */
const groupIconPayload = payload(
  IconData,
  {
    schema: GroupChange,
    render: ({ old_icon, new_icon, ...data }) => ({
      ...data,
      old_value: mediaUrlOrNull(old_icon),
      new_value: mediaUrlOrNull(new_icon),
    }),
  },
  { ...EXAMPLE, old_icon: null, new_icon: EXAMPLE_IMAGE },
);

const GroupFailure = z
  .object({
    chat_id: z.uuid().describe("ID of the chat."),
    error_code: z.literal([3007, 4001]).describe("Error code of the failure."),
    failed_at: EventTime.describe("When the change failed."),
  })
  .meta({ id: "ChatGroupUpdateFailedEvent" });

/** `data` of chat.group_name_update_failed and chat.group_icon_update_failed (docs/contract.md, section 12.5). */
const groupFailedPayload = plainPayload(GroupFailure, {
  chat_id: EXAMPLE_CHAT_ID,
  error_code: 4001,
  failed_at: EXAMPLE_TIME,
});

export const GROUP_EVENTS = defineEvents({
  "chat.group_name_updated": groupNamePayload,
  "chat.group_icon_updated": groupIconPayload,
  "chat.group_name_update_failed": groupFailedPayload,
  "chat.group_icon_update_failed": groupFailedPayload,
});

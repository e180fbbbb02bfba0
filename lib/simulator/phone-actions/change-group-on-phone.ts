import "server-only";
import { sink } from "@/lib/adapters/transports/sink";
import { GroupName } from "@/lib/messaging/groups/update-chat";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { PhoneImage, toInImage } from "@/lib/simulator/phone-actions/phone-image";
import {
  InChat,
  PHONE_CHANGE_ERRORS,
  PhoneChange,
  reportFromPhone,
} from "@/lib/simulator/phone-actions/report-from-phone";

/** The errors of an image from a phone. */
export const PHONE_IMAGE_ERRORS = [
  "attachment_not_found",
  "attachment_not_ready",
  "download_failed",
  "file_type_invalid",
  "file_too_large",
  "content_type_mismatch",
  "image_download_failed",
] as const;

export const ChangeGroupOnPhone = contract({
  ...PhoneChange,
  summary: "Update a group's name or icon from a simulated phone",
  description:
    "Changes the name or the icon of a group as the person who holds the phone. Arrives as `chat.group_name_updated` or `chat.group_icon_updated`.",
  body: InChat.extend({
    name: GroupName.nullable().optional().describe("New name of the group. `null` removes the name."),
    icon: PhoneImage.nullable().optional().describe("New icon of the group. `null` removes the icon."),
  })
    .refine(({ name, icon }) => name !== undefined || icon !== undefined, "set name, icon or both")
    .meta({ examples: [{ chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182", name: "Friday dinner" }] }),
  errors: [...PHONE_CHANGE_ERRORS, ...PHONE_IMAGE_ERRORS, "group_required"],
});

/** The phone's user changes a group's name or icon. Errors: as `ChangeGroupOnPhone`. */
export async function changeGroupOnPhone(ctx: Context, { params, body }: Input<typeof ChangeGroupOnPhone>) {
  const { name, icon } = body;
  const { line, change, answer } = await reportFromPhone(ctx, params.handle, body.chat_id, "inGroup");

  if (name !== undefined) await sink().receive(line, [{ type: "group_name", ...change, ref: null, name }]);
  if (icon !== undefined) {
    const image = icon && (await toInImage(ctx, icon));
    await sink().receive(line, [{ type: "group_icon", ...change, image }]);
  }
  return answer;
}

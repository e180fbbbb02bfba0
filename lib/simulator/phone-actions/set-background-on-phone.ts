import "server-only";
import { z } from "zod";
import { sink } from "@/lib/adapters/transports/sink";
import { ColorBackground, DynamicBackground } from "@/lib/messaging/groups/chat-background";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { PHONE_IMAGE_ERRORS } from "@/lib/simulator/phone-actions/change-group-on-phone";
import { PhoneImage, toInImage } from "@/lib/simulator/phone-actions/phone-image";
import {
  InChat,
  PHONE_CHANGE_ERRORS,
  PhoneChange,
  reportFromPhone,
} from "@/lib/simulator/phone-actions/report-from-phone";

const PhoneBackground = z.discriminatedUnion("type", [
  ColorBackground,
  DynamicBackground,
  z.object({
    type: z.literal("photo").describe("A photo background."),
    image: PhoneImage.describe("The photo."),
  }),
]);

export const SetBackgroundOnPhone = contract({
  ...PhoneChange,
  summary: "Set a chat's background on a simulated phone",
  description:
    "Sets the background of a chat as the person who holds the phone. Arrives as `chat.background_updated`.",
  body: InChat.extend({ background: PhoneBackground.describe("The background.") }).meta({
    examples: [
      { chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182", background: { type: "color", variant: "mango" } },
    ],
  }),
  errors: [...PHONE_CHANGE_ERRORS, ...PHONE_IMAGE_ERRORS],
});

export const RemoveBackgroundOnPhone = contract({
  ...PhoneChange,
  summary: "Remove a chat's background on a simulated phone",
  description:
    "Removes the background of a chat as the person who holds the phone. Arrives as `chat.background_updated`.",
  body: InChat,
  errors: PHONE_CHANGE_ERRORS,
});

/** The phone's user sets the background of a chat. Errors: as `SetBackgroundOnPhone`. */
export async function setBackgroundOnPhone(
  ctx: Context,
  { params, body }: Input<typeof SetBackgroundOnPhone>,
) {
  const { line, change, answer } = await reportFromPhone(ctx, params.handle, body.chat_id);
  const { background: look } = body;
  const background =
    look.type === "photo" ? { type: look.type, image: await toInImage(ctx, look.image) } : look;
  await sink().receive(line, [{ type: "background", ...change, background }]);
  return answer;
}

/** The phone's user removes the background of a chat. Errors: as `RemoveBackgroundOnPhone`. */
export async function removeBackgroundOnPhone(
  ctx: Context,
  { params, body }: Input<typeof RemoveBackgroundOnPhone>,
) {
  const { line, change, answer } = await reportFromPhone(ctx, params.handle, body.chat_id);
  await sink().receive(line, [{ type: "background", ...change, background: null }]);
  return answer;
}

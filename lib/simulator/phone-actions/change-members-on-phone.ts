import "server-only";
import { sink } from "@/lib/adapters/transports/sink";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { Handle } from "@/lib/platform/text/phone-handle";
import {
  InChat,
  PHONE_CHANGE_ERRORS,
  PhoneChange,
  reportFromPhone,
} from "@/lib/simulator/phone-actions/report-from-phone";

const Members = {
  ...PhoneChange,
  body: InChat.extend({ handle: Handle.describe("Handle of the participant.") }).meta({
    examples: [{ chat_id: "019ca9c2-4c02-7c53-ad22-4d8e3f607182", handle: "+12025550177" }],
  }),
  errors: [...PHONE_CHANGE_ERRORS, "phone_not_e164", "group_required"],
} as const;

export const AddOnPhone = contract({
  ...Members,
  summary: "Add a participant to a group from a simulated phone",
  description:
    "Adds a participant to a group as the person who holds the phone. Arrives as `participant.added`.",
});
export const RemoveOnPhone = contract({
  ...Members,
  summary: "Remove a participant from a group from a simulated phone",
  description:
    "Removes a participant from a group as the person who holds the phone. Arrives as `participant.removed`.",
});
export const LeaveOnPhone = contract({
  ...PhoneChange,
  summary: "Leave a group on a simulated phone",
  description: "Leaves a group as the person who holds the phone. Arrives as `participant.removed`.",
  body: InChat,
  errors: [...PHONE_CHANGE_ERRORS, "group_required"],
});

/** The phone's user adds a participant to a group, possibly a line that was in it before. Errors: as `AddOnPhone`. */
export function addOnPhone(ctx: Context, { params, body }: Input<typeof AddOnPhone>) {
  return report(ctx, params.handle, { ...body, change: "added" });
}

/** The phone's user removes a participant from a group, possibly the line itself. Errors: as `RemoveOnPhone`. */
export function removeOnPhone(ctx: Context, { params, body }: Input<typeof RemoveOnPhone>) {
  return report(ctx, params.handle, { ...body, change: "removed" });
}

/** The phone's user leaves a group. Errors: as `LeaveOnPhone`. */
export function leaveOnPhone(ctx: Context, { params, body }: Input<typeof LeaveOnPhone>) {
  return report(ctx, params.handle, { ...body, handle: params.handle, change: "left" });
}

interface MemberChange {
  chat_id: string;
  handle: string;
  change: "added" | "removed" | "left";
}

async function report(ctx: Context, phone: string, { chat_id, handle, change: what }: MemberChange) {
  const { line, change, answer } = await reportFromPhone(ctx, phone, chat_id, "inGroup");
  await sink().receive(line, [{ type: "member", ...change, handle, change: what }]);
  return answer;
}

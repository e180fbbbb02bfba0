import "server-only";
import { sink } from "@/lib/adapters/transports/sink";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import {
  InChat,
  PHONE_CHANGE_ERRORS,
  PhoneChange,
  reportFromPhone,
} from "@/lib/simulator/phone-actions/report-from-phone";

const Typing = { ...PhoneChange, body: InChat, errors: PHONE_CHANGE_ERRORS } as const;

export const TypeOnPhone = contract({
  ...Typing,
  summary: "Start typing on a simulated phone",
  description: "Starts typing as the person who holds the phone. Arrives as `chat.typing_indicator.started`.",
});
export const StopTypingOnPhone = contract({
  ...Typing,
  summary: "Stop typing on a simulated phone",
  description: "Stops typing as the person who holds the phone. Arrives as `chat.typing_indicator.stopped`.",
});

/** The phone's user starts typing in a chat. Errors: as `TypeOnPhone`. */
export function typeOnPhone(ctx: Context, input: Input<typeof TypeOnPhone>) {
  return setTyping(ctx, input, true);
}

/** The phone's user stops typing. Errors: as `StopTypingOnPhone`. */
export function stopTypingOnPhone(ctx: Context, input: Input<typeof StopTypingOnPhone>) {
  return setTyping(ctx, input, false);
}

async function setTyping(ctx: Context, { params, body }: Input<typeof TypeOnPhone>, isOn: boolean) {
  const { line, change, answer } = await reportFromPhone(ctx, params.handle, body.chat_id);
  await sink().receive(line, [{ type: "typing", ...change, isOn }]);
  return answer;
}

import { until } from "@/lib/testing/until";

/** A phone, the line that writes to it, and a call of the API with the token of the line's account. */
interface PhoneOfLine {
  phone: string;
  line: string;
  // biome-ignore lint/suspicious/noExplicitAny: the response of any operation.
  call(what: `${string} ${string}`): Promise<{ body: any }>;
}

/** The texts that a simulated phone received from a line, oldest first. */
export async function textsOnPhone({ phone, line, call }: PhoneOfLine): Promise<string[]> {
  const { body } = await call(`GET /simulator/phones/${encodeURIComponent(phone)}/messages`);
  return body.messages
    .filter(({ from }: { from: string }) => from === line)
    .map(({ parts }: { parts: { value: string }[] }) => parts[0]?.value)
    .toReversed();
}

/** Like `textsOnPhone`, once there are at least `count`. */
export function untilTextsOnPhone(count: number, on: PhoneOfLine): Promise<string[]> {
  return until(async () => {
    const texts = await textsOnPhone(on);
    return texts.length >= count && texts;
  });
}

import { sendRequest as sendRequestTo } from "../scripts/instance/call-instance.mjs";
import { firstRun } from "./test-instance";

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
type Answer = { status: number; body: any };

/** Sends a request with the demo's token, as a partner's program or as a simulated phone. */
export function sendRequest(
  what: `${string} ${string}`,
  body?: unknown,
  token = firstRun().token,
): Promise<Answer> {
  return sendRequestTo({ baseUrl: firstRun().base_url, token }, what, body);
}

let phones = 0;

/** Creates a simulated phone that has written to the demo's line. Returns the phone and the resulting chat. */
export async function newPhone(
  options: { fault?: string } = {},
  hello = "Hello!",
): Promise<{ handle: string; chatId: string }> {
  const handle = `+1556${String((Date.now() + phones++ * 7) % 10_000_000).padStart(7, "0")}`;
  await sendRequest("POST /simulator/phones", { handle, ...options });
  const { body } = await write(handle, firstRun().line, hello);
  return { handle, chatId: body.chat_id };
}

export function write(handle: string, to: string, text: string): Promise<Answer> {
  return sendRequest(`POST /simulator/phones/${handle}/messages`, { to, text });
}

export function send(chatId: string, text: string): Promise<Answer> {
  return sendRequest(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "text", value: text }] },
  });
}

import "server-only";
import { z } from "zod";
import { CreateChat, createChat } from "@/lib/messaging/chats/create-chat";
import { Handle, PhoneNumber } from "@/lib/platform/phone-handle";
import { mcpTool } from "@/lib/runtime/mcp/mcp-tool";
import { createPhone } from "@/lib/simulator/create-phone";
import { WriteFromPhone, writeFromPhone } from "@/lib/simulator/write-from-phone";

const MAX_TEXT = 10_000;

const phoneSays = mcpTool({
  name: "phone_says",
  title: "Send a message from a simulated phone",
  description:
    "A simulated phone sends a text to a line or into a chat, as a customer would. Creates the phone if the account has none with this handle. Sandbox accounts only.",
  operation: WriteFromPhone,
  method: "POST",
  sandboxOnly: true,
  input: z.object({
    phone: Handle.describe("Handle of the phone, such as +15550100101."),
    to: z.union([z.uuid(), PhoneNumber]).describe("Number of your line, or ID of a chat."),
    text: z.string().min(1).max(MAX_TEXT).describe("The text, such as STOP."),
  }),
  async run(ctx, { phone, to, text }) {
    await createPhone(ctx, { handle: phone });
    return writeFromPhone(ctx, phone, { to, text });
  },
});

const sendMessage = mcpTool({
  name: "send_message",
  title: "Send a message",
  description:
    "Sends a text from a line of the sandbox to one or more handles; several make a group. The message is accepted as pending: read_timeline shows its outcome. Sandbox accounts only.",
  operation: CreateChat,
  method: "POST",
  sandboxOnly: true,
  input: z.object({
    from: PhoneNumber.describe("Your line."),
    to: z.array(Handle).min(1).max(31).describe("Recipients."),
    text: z.string().min(1).max(MAX_TEXT).describe("The text."),
    idempotency_key: z.string().max(255).optional().describe("Key that prevents a second send."),
  }),
  async run(ctx, { from, to, text, idempotency_key }) {
    const message = { parts: [{ type: "text", value: text }], idempotency_key };
    const body = CreateChat.body.parse({ from, to, message });
    const { chat } = await createChat(ctx, { params: undefined, query: undefined, body });
    const { id, delivery_status } = chat.message;
    return { chat_id: chat.id, message_id: id, delivery_status, service: chat.service };
  },
});

/** Tools that rehearse conversations in sandbox accounts. */
export const SIMULATOR_TOOLS = [phoneSays, sendMessage];

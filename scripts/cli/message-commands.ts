import type { Command } from "commander";
import type { ApiClient } from "@/scripts/cli/api-client";
import { clientOf, globalOptions, print, printItem, table } from "@/scripts/cli/cli-context";
import { CliError } from "@/scripts/cli/cli-error";

interface SendOptions {
  to?: string[];
  from?: string;
  chat?: string;
  key?: string;
}

interface Sent {
  chat_id: string;
  message: { id: string; delivery_status: string };
}

interface PhoneMessage {
  id: string;
  from: string;
  service: string;
  parts: { type: string; value?: string }[];
  created_at: string;
  delivered_at: string | null;
  read_at: string | null;
  unsent_at: string | null;
}

/** Adds `send`, which sends as the account, and `phone`, which acts as a simulated phone. */
export function addMessageCommands(program: Command): void {
  program
    .command("send")
    .description("send a text message as your account")
    .argument("<text>", "the text")
    .option("--to <handle...>", "recipients; several make a group")
    .option("--from <line>", "your line (default: the best one)")
    .option("--chat <id>", "an existing chat, instead of --to")
    .option("--key <key>", "idempotency key")
    .addHelpText(
      "after",
      `
Examples:
  trunkline send "Your table is ready." --to +15550100101
  trunkline send "On our way" --chat 019ca9c2-4c02-7c53-ad22-4d8e3f607182 --json`,
    )
    .action(async (text: string, options: SendOptions, command: Command) => {
      const common = globalOptions(command);
      const sent = await sendText(clientOf(common), text, options);
      print(common, sent, [
        `Accepted as ${sent.message.delivery_status}.`,
        `Message  ${sent.message.id}`,
        `Chat     ${sent.chat_id}`,
      ]);
    });

  addPhoneCommand(program);
}

async function sendText(
  client: ApiClient,
  text: string,
  { to, from, chat, key }: SendOptions,
): Promise<Sent> {
  if (to !== undefined && chat !== undefined) {
    throw new CliError("usage", "Set --to or --chat, not both: a chat already has its recipients.");
  }
  if (to === undefined && chat === undefined) throw new CliError("usage", "Set --to or --chat.");
  if (from !== undefined && chat !== undefined) {
    throw new CliError("usage", "Set --from only with --to: a chat already has its line.");
  }
  const message = {
    parts: [{ type: "text", value: text }],
    ...(key !== undefined && { idempotency_key: key }),
  };
  if (chat !== undefined) {
    return client.call<Sent>(`POST /v3/chats/${encodeURIComponent(chat)}/messages`, { body: { message } });
  }
  if (from === undefined) return client.call<Sent>("POST /v3/messages", { body: { to, message } });
  const created = await client.call<{ chat: { id: string; message: Sent["message"] } }>("POST /v3/chats", {
    body: { from, to, message },
  });
  return { chat_id: created.chat.id, message: created.chat.message };
}

function addPhoneCommand(program: Command): void {
  const phone = program
    .command("phone")
    .description("act as a simulated phone (sandbox)")
    .argument("<handle>", "handle of the phone, such as +15550100101")
    .argument("<action>", "say or inbox")
    .argument("[texts...]", "the text to say; several are sent one after the other")
    .option("--to <line or chat>", "your line or a chat (default: your first line)")
    .addHelpText(
      "after",
      `
Examples:
  trunkline phone +15550100101 say "hi"            creates the phone if there is none
  trunkline phone +15550100101 say "hi" "are you open?"
  trunkline phone +15550100101 say STOP --to +15550100001
  trunkline phone +15550100101 inbox`,
    );
  phone.action(
    async (handle: string, action: string, texts: string[], options: { to?: string }, command: Command) => {
      const common = globalOptions(command);
      const client = clientOf(common);
      if (action === "say" && texts.length > 0) {
        for await (const said of say(client, { handle, texts, to: options.to })) {
          const { chat_id, message_id } = said;
          printItem(common, said, chat_id === null ? DROPPED : `Chat     ${chat_id}\nMessage  ${message_id}`);
        }
        return;
      }
      if (action !== "inbox")
        throw new CliError("usage", `Use: trunkline phone ${handle} say "hi", or inbox.`);
      const inbox = await client.call<{ messages: PhoneMessage[] }>(`GET ${pathOf(handle)}/messages`);
      print(common, inbox, inbox.messages.length === 0 ? "No messages." : table(inbox.messages.map(toRow)));
    },
  );
}

const DROPPED = "The message was dropped: the phone's handle is blocked.";

interface Said {
  chat_id: string | null;
  message_id: string | null;
}

async function* say(
  client: ApiClient,
  { handle, texts, to }: { handle: string; texts: string[]; to: string | undefined },
): AsyncGenerator<Said> {
  await client.call("POST /simulator/phones", { body: { handle } });
  const line = to ?? (await firstLine(client));
  for (const text of texts) {
    yield await client.call<Said>(`POST ${pathOf(handle)}/messages`, { body: { to: line, text } });
  }
}

async function firstLine(client: ApiClient): Promise<string> {
  const { phone_numbers: lines } = await client.call<{ phone_numbers: { phone_number: string }[] }>(
    "GET /v3/phone_numbers",
  );
  const [line] = lines;
  if (line === undefined) throw new CliError("failed", "The account has no line.");
  return line.phone_number;
}

function pathOf(handle: string): string {
  return `/simulator/phones/${encodeURIComponent(handle)}`;
}

function toRow({ created_at, from, service, parts, unsent_at }: PhoneMessage): string[] {
  const text =
    unsent_at === null ? parts.map(({ type, value }) => value ?? `[${type}]`).join(" ") : "[unsent]";
  return [created_at, from, service, text];
}

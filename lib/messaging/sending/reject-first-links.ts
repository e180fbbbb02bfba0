import "server-only";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { containsLink } from "@/lib/messaging/content/content-needs";
import type { MessageContent } from "@/lib/messaging/content/message-content";
import type { Context } from "@/lib/platform/context";
import { fail } from "@/lib/platform/errors/errors";

/**
 * Rejects a link in the first message of a new chat if the account's option says so (docs/contract.md, section 2.3).
 * Errors: parameter_invalid.
 */
export async function rejectFirstLinks(ctx: Context, content: MessageContent): Promise<void> {
  if (!containsLink(content)) return;
  const { first_message_links } = await findAccountOptions(ctx.account.id);
  if (first_message_links === "reject") {
    fail(
      "parameter_invalid",
      "message: the first message of a chat can't contain a link: send the link in the next message",
    );
  }
}

import { createAccount } from "@/lib/identity/accounts/create-account";
import { createPartner } from "@/lib/identity/accounts/create-partner";
import { updateAccountOptions } from "@/lib/identity/accounts/update-account-options";
import { createToken } from "@/lib/identity/tokens/create-token";
import { createLine } from "@/lib/lines/lines/create-line";
import type { AccountRef, Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";

export interface TestAccount {
  ref: AccountRef;
  token: string;
  /** Its iMessage line. */
  line: string;
  /** A context of the account with Trunkline itself as the actor. */
  context(): Context;
  /** Sends a first message to a handle through the API. In a sandbox, the handle must have written first. */
  sendFirst(to: string, message?: object): Promise<{ chatId: string; messageId: string }>;
  revokeToken(): Promise<void>;
}

let counter = 0;

interface NewTestAccount {
  type: AccountRef["type"];
  /** Keeps the default limits of a new account, which most tests would exceed. */
  limited?: boolean;
}

/**
 * Creates an account with its own partner, an iMessage line and a token. It has no message limits unless it is
 * `limited`.
 */
export async function createTestAccount({ type, limited = false }: NewTestAccount): Promise<TestAccount> {
  counter++;
  const partner = await createPartner(`Partner ${counter}`);
  const ref = await createAccount(partner.id, "main", type);
  const line = `+1555${String(1_000_000 + counter * 1000 + (process.pid % 1000))}`;
  await createLine(ref, { phoneNumber: line, lineType: "iMessage", transport: "simulator" });
  const context = (): Context => ({
    account: ref,
    actor: { type: "system" },
    traceId: newTraceId(),
    now: now(),
  });
  if (!limited) {
    await updateAccountOptions(context(), { body: { pair_messages: null, daily_messages: null } });
  }
  const { token } = await createToken(context(), { name: "test" });

  return {
    ref,
    token,
    line,
    context,
    async sendFirst(to, message = { parts: [{ type: "text", value: "hello" }] }) {
      const { body } = await callApi("POST /v3/chats", { token, body: { from: line, to: [to], message } });
      return { chatId: body.chat.id, messageId: body.chat.message.id };
    },
    async revokeToken() {
      await sql.runText({
        text: "update api_tokens set revoked_at = now() where account_id = $1",
        values: [ref.id],
      });
    },
  };
}

import { ACCOUNT_COOKIE } from "@/lib/identity/sessions/find-session";
import { sessionCookie } from "@/lib/identity/sessions/session-token";
import { SwitchAccount, switchAccount } from "@/lib/identity/sessions/switch-account";
import { authenticateIncompleteSession } from "@/lib/runtime/http/authenticate-session";
import { apiRoute } from "@/lib/runtime/http/endpoint";
import { serializeCookie } from "@/lib/runtime/http/serialize-cookie";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

export const PUT = apiRoute(SwitchAccount, authenticateIncompleteSession, async ({ ctx, input }) => {
  const accountId = await switchAccount(ctx, input);
  const cookie = { ...sessionCookie().options, maxAge: YEAR_SECONDS };
  const headers = {
    "x-trace-id": ctx.traceId,
    "set-cookie": serializeCookie(ACCOUNT_COOKIE, accountId, cookie),
  };
  return { status: SwitchAccount.status, headers, text: null };
});

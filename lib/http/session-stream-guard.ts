import "server-only";
import { authenticateSession } from "@/lib/http/authenticate-session";
import type { StreamGuard } from "@/lib/http/stream-guard";
import { ApiError } from "@/lib/platform/errors";

const CHECK_MS = 15_000;

/** Streams of the dashboard: each until its session has ended or its user has moved to another account. */
export const sessionStreamGuard: StreamGuard = {
  authenticate: authenticateSession,
  admit(request, { account }, end) {
    async function check(): Promise<void> {
      const caller = await authenticateSession(request).catch(() => null);
      if (caller?.account.id !== account.id) end(new ApiError("unauthorized"));
    }
    const timer = setInterval(() => void check(), CHECK_MS).unref();
    return () => clearInterval(timer);
  },
};

import { passkeySignInOptions } from "@/lib/identity/passkeys/sign-in-with-passkey";
import { plainRoute } from "@/lib/runtime/http/plain-route";

export const GET = plainRoute(async () =>
  Response.json(await passkeySignInOptions(), { headers: { "cache-control": "no-store" } }),
);

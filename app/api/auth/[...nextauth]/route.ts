import type { NextRequest } from "next/server";
import nextAuth from "next-auth";
import { deviceCookie, newDeviceToken } from "@/lib/identity/sessions/known-device";
import type { SignedInUser } from "@/lib/identity/users/user";
import { dashboardUrl } from "@/lib/platform/env";
import { serializeCookie } from "@/lib/runtime/http/serialize-cookie";
import { answerProviderError } from "@/lib/runtime/sign-in/answer-provider-error";
import { authOptions } from "@/lib/runtime/sign-in/auth-options";
import { flowOf } from "@/lib/runtime/sign-in/sso-flow";

interface AuthRoute {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, route: AuthRoute): Promise<Response> {
  const refused = answerProviderError(request);
  if (refused !== null) return refused;
  // biome-ignore lint/style/noProcessEnv: next-auth reads its own URL only from this variable
  process.env.NEXTAUTH_URL = dashboardUrl();
  const signedIn: SignedInUser[] = [];
  const options = authOptions({
    cookie: (name) => request.cookies.get(name)?.value,
    flow: await flowOf(request, request.cookies.getAll()),
    onSignedIn: (user) => signedIn.push(user),
  });
  const response: Response = await nextAuth(request, route, options);
  const { name, options: attributes } = deviceCookie();
  for (const { id } of signedIn) {
    response.headers.append("set-cookie", serializeCookie(name, newDeviceToken(id), attributes));
  }
  return response;
}

export { handle as GET, handle as POST };

import type { NextRequest } from "next/server";
import nextAuth from "next-auth";
import { authOptions } from "@/lib/dashboard/auth-options";
import { dashboardUrl } from "@/lib/platform/env";

interface AuthRoute {
  params: Promise<{ nextauth: string[] }>;
}

function handle(request: NextRequest, route: AuthRoute): Promise<Response> {
  // biome-ignore lint/style/noProcessEnv: next-auth learns its own address from nowhere else
  process.env.NEXTAUTH_URL = dashboardUrl();
  return nextAuth(request, route, authOptions());
}

export { handle as GET, handle as POST };

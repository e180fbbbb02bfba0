import { env } from "@/lib/platform/env";
import simulator from "@/openapi-simulator.json";

// The setting is read at each request, not at the build.
export const dynamic = "force-dynamic";

export function GET(): Response {
  return env().SIMULATOR ? Response.json(simulator) : new Response(null, { status: 404 });
}

import { eventStreamRoute } from "@/lib/http/event-stream-route";

export const dynamic = "force-dynamic";

export const GET = eventStreamRoute;

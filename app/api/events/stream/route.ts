import { StreamEventViews, streamEventViews } from "@/lib/events/tail/stream-event-views";
import { sessionStreamGuard } from "@/lib/runtime/streams/session-stream-guard";
import { streamEndpoint } from "@/lib/runtime/streams/stream-endpoint";

export const dynamic = "force-dynamic";

export const GET = streamEndpoint(StreamEventViews, streamEventViews, sessionStreamGuard);

import { StreamNotices, streamNotices } from "@/lib/events/tail/stream-notices";
import { sessionStreamGuard } from "@/lib/runtime/streams/session-stream-guard";
import { streamEndpoint } from "@/lib/runtime/streams/stream-endpoint";

export const dynamic = "force-dynamic";

export const GET = streamEndpoint(StreamNotices, streamNotices, sessionStreamGuard);

import { streamEndpoint } from "@/lib/runtime/streams/stream-endpoint";
import { StreamEvents, streamEvents } from "@/lib/webhooks/stream/stream-events";

export const GET = streamEndpoint(StreamEvents, streamEvents);

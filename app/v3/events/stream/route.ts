import { StreamEvents, streamEvents } from "@/lib/events/stream-events";
import { streamEndpoint } from "@/lib/runtime/http/stream-endpoint";

export const GET = streamEndpoint(StreamEvents, streamEvents);

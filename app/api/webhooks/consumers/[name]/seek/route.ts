import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { SeekConsumer, seekConsumer } from "@/lib/webhooks/consumers/seek-consumer";

export const POST = endpoint(SeekConsumer, seekConsumer, authenticateSession);

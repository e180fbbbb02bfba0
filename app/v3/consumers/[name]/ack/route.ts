import { endpoint } from "@/lib/runtime/http/endpoint";
import { AckConsumer, ackConsumer } from "@/lib/webhooks/consumers/ack-consumer";

export const POST = endpoint(AckConsumer, ackConsumer);

import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { DeleteConsumer, deleteConsumer } from "@/lib/webhooks/consumers/delete-consumer";
import { GetConsumer, getConsumer } from "@/lib/webhooks/consumers/get-consumer";

export const GET = endpoint(GetConsumer, getConsumer, authenticateSession);
export const DELETE = endpoint(DeleteConsumer, deleteConsumer, authenticateSession);

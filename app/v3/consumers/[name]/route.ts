import { endpoint } from "@/lib/runtime/http/endpoint";
import { DeleteConsumer, deleteConsumer } from "@/lib/webhooks/consumers/delete-consumer";
import { GetConsumer, getConsumer } from "@/lib/webhooks/consumers/get-consumer";
import { PutConsumer, putConsumer } from "@/lib/webhooks/consumers/put-consumer";

export const GET = endpoint(GetConsumer, getConsumer);
export const PUT = endpoint(PutConsumer, putConsumer);
export const DELETE = endpoint(DeleteConsumer, deleteConsumer);

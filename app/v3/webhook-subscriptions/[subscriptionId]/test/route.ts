import { endpoint } from "@/lib/runtime/http/endpoint";
import { SendTest, sendTest } from "@/lib/webhooks/send-test";

export const POST = endpoint(SendTest, sendTest);

import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { SendTest, sendTest } from "@/lib/webhooks/deliveries/send-test";

export const POST = endpoint(SendTest, sendTest, authenticateSession);

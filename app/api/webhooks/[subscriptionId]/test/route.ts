import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { SendTest, sendTest } from "@/lib/webhooks/send-test";

export const POST = endpoint(SendTest, sendTest, authenticateSession);

import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { SendTestMail, sendTestMail } from "@/lib/runtime/operator/send-test-mail";

export const POST = endpoint(SendTestMail, sendTestMail, authenticateSession);

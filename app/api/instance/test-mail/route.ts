import { SendTestMail, sendTestMail } from "@/lib/operations/instance/send-test-mail";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(SendTestMail, sendTestMail, authenticateSession);

import { TestLineTransport, testLineTransport } from "@/lib/lines/transports/test-line-transport";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(TestLineTransport, testLineTransport, authenticateSession);

import { FindAnything, findAnything } from "@/lib/runtime/dashboard/find-anything";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(FindAnything, findAnything, authenticateSession);

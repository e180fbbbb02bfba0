import { ErasePerson, erasePerson } from "@/lib/privacy/erasure/erase-person";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ErasePerson, erasePerson, authenticateSession);

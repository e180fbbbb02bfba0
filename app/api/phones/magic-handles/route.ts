import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { AddMagicPhone, addMagicPhone } from "@/lib/simulator/magic-handles/add-magic-phone";

export const POST = endpoint(AddMagicPhone, addMagicPhone, authenticateSession);

import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { asPerson } from "@/lib/simulator/as-person";
import {
  StopTypingOnPhone,
  stopTypingOnPhone,
  TypeOnPhone,
  typeOnPhone,
} from "@/lib/simulator/type-on-phone";

export const POST = endpoint(asPerson(TypeOnPhone), typeOnPhone, authenticateSession);
export const DELETE = endpoint(asPerson(StopTypingOnPhone), stopTypingOnPhone, authenticateSession);

import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  StopTypingOnPhone,
  stopTypingOnPhone,
  TypeOnPhone,
  typeOnPhone,
} from "@/lib/simulator/phone-actions/type-on-phone";

export const POST = endpoint(TypeOnPhone, typeOnPhone, authenticateSession);
export const DELETE = endpoint(StopTypingOnPhone, stopTypingOnPhone, authenticateSession);

import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  StopTypingOnPhone,
  stopTypingOnPhone,
  TypeOnPhone,
  typeOnPhone,
} from "@/lib/simulator/phone-actions/type-on-phone";

export const POST = endpoint(TypeOnPhone, typeOnPhone);
export const DELETE = endpoint(StopTypingOnPhone, stopTypingOnPhone);

import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  AddOnPhone,
  addOnPhone,
  RemoveOnPhone,
  removeOnPhone,
} from "@/lib/simulator/phone-actions/change-members-on-phone";

export const POST = endpoint(AddOnPhone, addOnPhone, authenticateSession);
export const DELETE = endpoint(RemoveOnPhone, removeOnPhone, authenticateSession);

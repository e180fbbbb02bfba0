import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { asPerson } from "@/lib/simulator/as-person";
import {
  AddOnPhone,
  addOnPhone,
  RemoveOnPhone,
  removeOnPhone,
} from "@/lib/simulator/change-members-on-phone";

export const POST = endpoint(asPerson(AddOnPhone), addOnPhone, authenticateSession);
export const DELETE = endpoint(asPerson(RemoveOnPhone), removeOnPhone, authenticateSession);

import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  AddOnPhone,
  addOnPhone,
  RemoveOnPhone,
  removeOnPhone,
} from "@/lib/simulator/phone-actions/change-members-on-phone";

export const POST = endpoint(AddOnPhone, addOnPhone);
export const DELETE = endpoint(RemoveOnPhone, removeOnPhone);

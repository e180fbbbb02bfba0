import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  RemoveBackgroundOnPhone,
  removeBackgroundOnPhone,
  SetBackgroundOnPhone,
  setBackgroundOnPhone,
} from "@/lib/simulator/phone-actions/set-background-on-phone";

export const POST = endpoint(SetBackgroundOnPhone, setBackgroundOnPhone);
export const DELETE = endpoint(RemoveBackgroundOnPhone, removeBackgroundOnPhone);

import {
  RemoveBackground,
  removeBackground,
  SetBackground,
  setBackground,
} from "@/lib/messaging/groups/set-background";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(SetBackground, setBackground);
export const DELETE = endpoint(RemoveBackground, removeBackground);

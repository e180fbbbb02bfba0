import { endpoint } from "@/lib/http/endpoint";
import {
  RemoveBackground,
  removeBackground,
  SetBackground,
  setBackground,
} from "@/lib/messaging/chats/set-background";

export const POST = endpoint(SetBackground, setBackground);
export const DELETE = endpoint(RemoveBackground, removeBackground);

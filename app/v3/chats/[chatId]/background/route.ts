import { RemoveBackground, removeBackground, SetBackground, setBackground } from "@/lib/chats/set-background";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(SetBackground, setBackground);
export const DELETE = endpoint(RemoveBackground, removeBackground);

import { GetChatLocation, getChatLocation } from "@/lib/messaging/locations/get-chat-location";
import { StopLocation, stopLocation } from "@/lib/messaging/locations/stop-location";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetChatLocation, getChatLocation);
export const DELETE = endpoint(StopLocation, stopLocation);

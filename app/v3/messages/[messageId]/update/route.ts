import { UpdateAppCard, updateAppCard } from "@/lib/messaging/messages/update-app-card";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(UpdateAppCard, updateAppCard);

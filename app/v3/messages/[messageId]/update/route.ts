import { endpoint } from "@/lib/http/endpoint";
import { UpdateAppCard, updateAppCard } from "@/lib/messaging/messages/update-app-card";

export const POST = endpoint(UpdateAppCard, updateAppCard);

import { UpdateAppCard, updateAppCard } from "@/lib/messaging/sending/update-app-card";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(UpdateAppCard, updateAppCard);

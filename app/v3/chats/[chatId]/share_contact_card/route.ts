import { ShareContactCard, shareContactCard } from "@/lib/messaging/chats/share-contact-card";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const POST = endpoint(ShareContactCard, shareContactCard);

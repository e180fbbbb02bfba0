import { endpoint } from "@/lib/http/endpoint";
import { ShareContactCard, shareContactCard } from "@/lib/messaging/contact-cards/share-contact-card";

export const POST = endpoint(ShareContactCard, shareContactCard);

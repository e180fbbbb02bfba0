import { ShareContactCard, shareContactCard } from "@/lib/contact-cards/share-contact-card";
import { endpoint } from "@/lib/http/endpoint";

export const POST = endpoint(ShareContactCard, shareContactCard);

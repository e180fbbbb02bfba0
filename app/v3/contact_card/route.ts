import { endpoint } from "@/lib/http/endpoint";
import { CreateContactCard, createContactCard } from "@/lib/messaging/contact-cards/create-contact-card";
import { ListContactCards, listContactCards } from "@/lib/messaging/contact-cards/list-contact-cards";
import { UpdateContactCard, updateContactCard } from "@/lib/messaging/contact-cards/update-contact-card";

export const GET = endpoint(ListContactCards, listContactCards);
export const POST = endpoint(CreateContactCard, createContactCard);
export const PATCH = endpoint(UpdateContactCard, updateContactCard);

import { CreateContactCard, createContactCard } from "@/lib/contact-cards/create-contact-card";
import { ListContactCards, listContactCards } from "@/lib/contact-cards/list-contact-cards";
import { UpdateContactCard, updateContactCard } from "@/lib/contact-cards/update-contact-card";
import { endpoint } from "@/lib/http/endpoint";

export const GET = endpoint(ListContactCards, listContactCards);
export const POST = endpoint(CreateContactCard, createContactCard);
export const PATCH = endpoint(UpdateContactCard, updateContactCard);

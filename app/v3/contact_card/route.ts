import { CreateContactCard, createContactCard } from "@/lib/lines/contact-cards/create-contact-card";
import { DeleteContactCard, deleteContactCard } from "@/lib/lines/contact-cards/delete-contact-card";
import { ListContactCards, listContactCards } from "@/lib/lines/contact-cards/list-contact-cards";
import { UpdateContactCard, updateContactCard } from "@/lib/lines/contact-cards/update-contact-card";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListContactCards, listContactCards);
export const POST = endpoint(CreateContactCard, createContactCard);
export const PATCH = endpoint(UpdateContactCard, updateContactCard);
export const DELETE = endpoint(DeleteContactCard, deleteContactCard);

import { CreateContactCard, createContactCard } from "@/lib/lines/contact-cards/create-contact-card";
import { DeleteContactCard, deleteContactCard } from "@/lib/lines/contact-cards/delete-contact-card";
import { ListContactCards, listContactCards } from "@/lib/lines/contact-cards/list-contact-cards";
import { UpdateContactCard, updateContactCard } from "@/lib/lines/contact-cards/update-contact-card";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListContactCards, listContactCards, authenticateSession);
export const POST = endpoint(CreateContactCard, createContactCard, authenticateSession);
export const PATCH = endpoint(UpdateContactCard, updateContactCard, authenticateSession);
export const DELETE = endpoint(DeleteContactCard, deleteContactCard, authenticateSession);

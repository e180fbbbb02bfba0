import { SaveContactCard, saveContactCard } from "@/lib/lines/contact-cards/save-contact-card";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PUT = endpoint(SaveContactCard, saveContactCard, authenticateSession);

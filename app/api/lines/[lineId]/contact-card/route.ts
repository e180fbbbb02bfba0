import { SaveContactCard, saveContactCard } from "@/lib/contact-cards/save-contact-card";
import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";

export const PUT = endpoint(SaveContactCard, saveContactCard, authenticateSession);

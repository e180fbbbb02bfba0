import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { SaveContactCard, saveContactCard } from "@/lib/messaging/contact-cards/save-contact-card";

export const PUT = endpoint(SaveContactCard, saveContactCard, authenticateSession);

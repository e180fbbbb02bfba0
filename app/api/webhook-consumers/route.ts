import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListConsumerViews, listConsumerViews } from "@/lib/webhooks/consumers/list-consumer-views";

export const GET = endpoint(ListConsumerViews, listConsumerViews, authenticateSession);

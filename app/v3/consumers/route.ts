import { endpoint } from "@/lib/runtime/http/endpoint";
import { ListConsumers, listConsumers } from "@/lib/webhooks/consumers/list-consumers";

export const GET = endpoint(ListConsumers, listConsumers);

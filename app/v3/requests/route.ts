import { ListRequests, listRequests } from "@/lib/request-log/list-requests";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListRequests, listRequests);

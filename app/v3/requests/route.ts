import { ListRequests, listRequests } from "@/lib/request-log/search/list-requests";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListRequests, listRequests);

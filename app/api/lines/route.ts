import { AssignLine, assignLine } from "@/lib/lines/assignment/assign-line";
import { ListLineViews, listLineViews } from "@/lib/lines/overview/list-line-views";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListLineViews, listLineViews, authenticateSession);
export const POST = endpoint(AssignLine, assignLine, authenticateSession);

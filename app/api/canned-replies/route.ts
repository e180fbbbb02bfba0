import {
  CreateCannedReply,
  createCannedReply,
  ListCannedReplies,
  listCannedReplies,
} from "@/lib/messaging/team/canned-replies";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListCannedReplies, listCannedReplies, authenticateSession);
export const POST = endpoint(CreateCannedReply, createCannedReply, authenticateSession);

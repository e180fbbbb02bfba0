import {
  DeleteCannedReply,
  deleteCannedReply,
  UpdateCannedReply,
  updateCannedReply,
} from "@/lib/messaging/team/canned-replies";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const PUT = endpoint(UpdateCannedReply, updateCannedReply, authenticateSession);
export const DELETE = endpoint(DeleteCannedReply, deleteCannedReply, authenticateSession);

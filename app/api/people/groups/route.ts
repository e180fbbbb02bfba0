import {
  ListGroupRoles,
  listGroupRoles,
  RemoveGroupRole,
  removeGroupRole,
  SetGroupRole,
  setGroupRole,
} from "@/lib/identity/sso/group-roles";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListGroupRoles, listGroupRoles, authenticateSession);
export const PUT = endpoint(SetGroupRole, setGroupRole, authenticateSession);
export const DELETE = endpoint(RemoveGroupRole, removeGroupRole, authenticateSession);

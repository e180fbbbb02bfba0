import { DeleteTeam, deleteTeam } from "@/lib/messaging/team/delete-team";
import { GetTeam, getTeam, UpdateTeam, updateTeam } from "@/lib/messaging/team/teams";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetTeam, getTeam, authenticateSession);
export const PUT = endpoint(UpdateTeam, updateTeam, authenticateSession);
export const DELETE = endpoint(DeleteTeam, deleteTeam, authenticateSession);

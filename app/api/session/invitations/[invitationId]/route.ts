import { acceptInvitationRoute, declineInvitationRoute } from "@/lib/runtime/dashboard/answer-invitation";

export const POST = acceptInvitationRoute;
export const DELETE = declineInvitationRoute;

import { acceptInvitationRoute, declineInvitationRoute } from "@/lib/runtime/sign-in/answer-invitation";

export const POST = acceptInvitationRoute;
export const DELETE = declineInvitationRoute;

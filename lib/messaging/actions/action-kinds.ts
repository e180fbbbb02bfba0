import "server-only";
import { actionKind, type BoundAction } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { shareContactCardAction } from "@/lib/messaging/chats/share-card-action";
import { editAction } from "@/lib/messaging/edits/edit-action";
import { setBackgroundAction } from "@/lib/messaging/groups/background-action";
import { setIconAction, setNameAction } from "@/lib/messaging/groups/group-actions";
import {
  addParticipantAction,
  leaveAction,
  removeParticipantAction,
} from "@/lib/messaging/groups/member-actions";
import { requestLocationAction, stopLocationAction } from "@/lib/messaging/locations/location-actions";
import { addPollOptionsAction, voteAction } from "@/lib/messaging/polls/poll-actions";
import { readAction, typingAction } from "@/lib/messaging/presence/presence-actions";
import { moveStickerAction, reactAction } from "@/lib/messaging/reactions/reaction-actions";
import { unsendAction } from "@/lib/messaging/unsends/unsend-action";

/** All kinds of actions in chats other than sends. Add a new kind as one row here. */
const ACTION_KINDS = {
  typing: actionKind(typingAction),
  read: actionKind(readAction),
  add_participant: actionKind(addParticipantAction),
  remove_participant: actionKind(removeParticipantAction),
  leave: actionKind(leaveAction),
  set_name: actionKind(setNameAction),
  set_icon: actionKind(setIconAction),
  set_background: actionKind(setBackgroundAction),
  share_contact_card: actionKind(shareContactCardAction),
  edit: actionKind(editAction),
  unsend: actionKind(unsendAction),
  react: actionKind(reactAction),
  move_sticker: actionKind(moveStickerAction),
  add_poll_options: actionKind(addPollOptionsAction),
  vote: actionKind(voteAction),
  request_location: actionKind(requestLocationAction),
  stop_location: actionKind(stopLocationAction),
} as const satisfies Record<string, (action: ClaimedAction) => BoundAction>;

export type ActionKindName = keyof typeof ACTION_KINDS;

/** Binds a claimed action to its kind. Throws for a kind that this version does not know. */
export function bindAction(action: ClaimedAction): BoundAction {
  const [, bind] = Object.entries(ACTION_KINDS).find(([name]) => name === action.kind) ?? [];
  if (bind === undefined) throw new Error(`there is no action "${action.kind}"`);
  return bind(action);
}

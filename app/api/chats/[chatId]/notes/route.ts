import { ListChatNotes, listChatNotes } from "@/lib/messaging/team/list-chat-notes";
import { WriteNote, writeNote } from "@/lib/messaging/team/write-note";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(ListChatNotes, listChatNotes, authenticateSession);
export const POST = endpoint(WriteNote, writeNote, authenticateSession);

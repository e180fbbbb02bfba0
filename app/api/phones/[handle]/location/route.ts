import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import { asPerson } from "@/lib/simulator/as-person";
import {
  MovePhone,
  movePhone,
  ShareLocationOnPhone,
  StopSharingOnPhone,
  shareLocationOnPhone,
  stopSharingOnPhone,
} from "@/lib/simulator/share-location-on-phone";

export const POST = endpoint(asPerson(ShareLocationOnPhone), shareLocationOnPhone, authenticateSession);
export const PATCH = endpoint(asPerson(MovePhone), movePhone, authenticateSession);
export const DELETE = endpoint(asPerson(StopSharingOnPhone), stopSharingOnPhone, authenticateSession);

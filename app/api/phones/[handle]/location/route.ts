import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  MovePhone,
  movePhone,
  ShareLocationOnPhone,
  StopSharingOnPhone,
  shareLocationOnPhone,
  stopSharingOnPhone,
} from "@/lib/simulator/phone-actions/share-location-on-phone";

export const POST = endpoint(ShareLocationOnPhone, shareLocationOnPhone, authenticateSession);
export const PATCH = endpoint(MovePhone, movePhone, authenticateSession);
export const DELETE = endpoint(StopSharingOnPhone, stopSharingOnPhone, authenticateSession);

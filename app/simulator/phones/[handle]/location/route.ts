import { endpoint } from "@/lib/runtime/http/endpoint";
import {
  MovePhone,
  movePhone,
  ShareLocationOnPhone,
  StopSharingOnPhone,
  shareLocationOnPhone,
  stopSharingOnPhone,
} from "@/lib/simulator/phone-actions/share-location-on-phone";

export const POST = endpoint(ShareLocationOnPhone, shareLocationOnPhone);
export const PATCH = endpoint(MovePhone, movePhone);
export const DELETE = endpoint(StopSharingOnPhone, stopSharingOnPhone);

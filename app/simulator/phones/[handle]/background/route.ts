import { endpoint } from "@/lib/runtime/http/endpoint";
import { PaintOnPhone, paintOnPhone, UnpaintOnPhone, unpaintOnPhone } from "@/lib/simulator/paint-on-phone";

export const POST = endpoint(PaintOnPhone, paintOnPhone);
export const DELETE = endpoint(UnpaintOnPhone, unpaintOnPhone);

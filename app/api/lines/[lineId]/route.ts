import { ReleaseLine, releaseLine } from "@/lib/lines/assignment/release-line";
import { ChangeLineSettings, changeLineSettings } from "@/lib/lines/lines/change-line-settings";
import { GetLineView, getLineView } from "@/lib/lines/overview/get-line-view";
import { authenticateSession } from "@/lib/runtime/http/authenticate-session";
import { endpoint } from "@/lib/runtime/http/endpoint";

export const GET = endpoint(GetLineView, getLineView, authenticateSession);
export const PATCH = endpoint(ChangeLineSettings, changeLineSettings, authenticateSession);
export const DELETE = endpoint(ReleaseLine, releaseLine, authenticateSession);

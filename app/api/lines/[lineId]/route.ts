import { authenticateSession } from "@/lib/http/authenticate-session";
import { endpoint } from "@/lib/http/endpoint";
import { ChangeLineSettings, changeLineSettings } from "@/lib/lines/change-line-settings";
import { ReleaseLine, releaseLine } from "@/lib/lines/release-line";

export const PATCH = endpoint(ChangeLineSettings, changeLineSettings, authenticateSession);
export const DELETE = endpoint(ReleaseLine, releaseLine, authenticateSession);

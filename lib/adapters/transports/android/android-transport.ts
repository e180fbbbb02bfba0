import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { testPhone } from "@/lib/adapters/transports/android/android-device";
import { openAttachment } from "@/lib/adapters/transports/android/android-inbox";
import { POLL_SECONDS, pollAndroid } from "@/lib/adapters/transports/android/android-poll";
import { outcomeOnPhone, sendOverPhone } from "@/lib/adapters/transports/android/android-send";
import { AndroidSettings } from "@/lib/adapters/transports/android/android-settings";
import { readThroughput } from "@/lib/adapters/transports/throughput-setting";
import type { Cap, Transport } from "@/lib/adapters/transports/transport";

const CAPS: ReadonlySet<Cap> = new Set(["media"]);
const NO_CAPS: ReadonlySet<Cap> = new Set();

/**
 * SMS and MMS through an Android phone with the app SMSGate, over its local server. Our message ids are the phone's, so
 * any process can send, and a message can't be sent twice. The phone is polled.
 */
export const androidTransport: Transport = {
  name: "android",
  label: "Android phone",
  settings: AndroidSettings,
  throughput: (connection) => readThroughput(AndroidSettings, connection),
  test: (line, connection, signal) => testPhone(line, AndroidSettings.parse(connection), signal),
  caps: (service) => (service === "SMS" ? CAPS : NO_CAPS),
  capabilityCacheSeconds: 0,
  probe: async () => "no",
  send: sendOverPhone,
  outcome: outcomeOnPhone,
  async act({ action }) {
    throw new AdapterError("unsupported", `an Android phone has no ${action.type}`);
  },
  poll: { everySeconds: POLL_SECONDS, read: pollAndroid, checksCursor: true },
  openFile: (_, connection, source, signal) =>
    openAttachment(AndroidSettings.parse(connection), source, signal),
};

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The programs of Debian's Kannel, or null with a message when they can't be run. KANNEL_BIN names their folder. */
export function findKannel() {
  const bin = process.env.KANNEL_BIN ?? "/usr/sbin";
  const [bearerbox, smsbox] = ["bearerbox", "smsbox"].map((name) => path.join(bin, name));
  const canRun = (box) => existsSync(box) && spawnSync(box, ["--version"]).status === 0;
  if (canRun(bearerbox) && canRun(smsbox)) return { bearerbox, smsbox };
  process.stdout.write(
    `Skipped: ${bearerbox} and ${smsbox} can't be run. Install Debian's package kannel.\n`,
  );
  return null;
}

/**
 * Writes a configuration that binds to an SMS center on loopback as `trunkline` / `secret`, and returns its path. Kannel
 * keeps accepted messages in files, so that they survive a crash of its processes.
 */
export function writeKannelConfig(directory, { ports, smscPort, inboundUrl }) {
  const spool = path.join(directory, "spool");
  mkdirSync(spool);
  const config = path.join(directory, "kannel.conf");
  const service = `
group = sms-service
keyword = default
get-url = "${inboundUrl}"
max-messages = 0
`;
  writeFileSync(
    config,
    `group = core
admin-port = ${ports.admin}
admin-password = secret
smsbox-port = ${ports.smsbox}
box-allow-ip = 127.0.0.1
dlr-storage = internal
store-type = spool
store-location = ${spool}

group = smsc
smsc = smpp
smsc-id = test
host = 127.0.0.1
port = ${smscPort}
smsc-username = trunkline
smsc-password = secret
system-type = ""
transceiver-mode = true
reconnect-delay = 1
max-pending-submits = 100

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${ports.sendsms}

group = sendsms-user
username = tester
password = secret
concatenation = true
max-messages = 10
${service}`,
  );
  return config;
}

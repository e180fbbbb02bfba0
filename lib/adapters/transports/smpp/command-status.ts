import "server-only";

/** The names of command statuses (SMPP 3.4, 5.1.3), for people. */
const NAMES: Readonly<Record<number, string>> = {
  1: "ESME_RINVMSGLEN",
  2: "ESME_RINVCMDLEN",
  3: "ESME_RINVCMDID",
  4: "ESME_RINVBNDSTS",
  5: "ESME_RALYBND",
  6: "ESME_RINVPRTFLG",
  7: "ESME_RINVREGDLVFLG",
  8: "ESME_RSYSERR",
  10: "ESME_RINVSRCADR",
  11: "ESME_RINVDSTADR",
  12: "ESME_RINVMSGID",
  13: "ESME_RBINDFAIL",
  14: "ESME_RINVPASWD",
  15: "ESME_RINVSYSID",
  20: "ESME_RMSGQFUL",
  21: "ESME_RINVSERTYP",
  67: "ESME_RINVESMCLASS",
  69: "ESME_RSUBMITFAIL",
  72: "ESME_RINVSRCTON",
  73: "ESME_RINVSRCNPI",
  80: "ESME_RINVDSTTON",
  81: "ESME_RINVDSTNPI",
  83: "ESME_RINVSYSTYP",
  88: "ESME_RTHROTTLED",
  97: "ESME_RINVSCHED",
  98: "ESME_RINVEXPIRY",
  100: "ESME_RX_T_APPN",
  101: "ESME_RX_P_APPN",
  102: "ESME_RX_R_APPN",
  192: "ESME_RINVOPTPARSTREAM",
  193: "ESME_ROPTPARNOTALLWD",
  194: "ESME_RINVPARLEN",
  195: "ESME_RMISSINGOPTPARAM",
  196: "ESME_RINVOPTPARAMVAL",
  254: "ESME_RDELIVERYFAILURE",
  255: "ESME_RUNKNOWNERR",
};

/** The statuses that Trunkline sends or acts on. */
export const STATUS = {
  ok: 0x00,
  invalidLength: 0x02,
  invalidCommand: 0x03,
  invalidBindStatus: 0x04,
  systemError: 0x08,
  invalidDestination: 0x0b,
  queueFull: 0x14,
  throttled: 0x58,
  /** A temporary error of the application: the SMS center delivers the message again. */
  temporaryError: 0x64,
} as const;

/** The name of a status, or its number. */
export function statusName(status: number): string {
  return NAMES[status] ?? `status 0x${status.toString(16)}`;
}

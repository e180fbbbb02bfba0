import "server-only";

/** The names of the commands that Trunkline reads and writes, by their IDs (SMPP 3.4, 5.1.2.1). */
const COMMANDS = {
  generic_nack: 0x80000000,
  bind_receiver: 0x00000001,
  bind_receiver_resp: 0x80000001,
  bind_transmitter: 0x00000002,
  bind_transmitter_resp: 0x80000002,
  submit_sm: 0x00000004,
  submit_sm_resp: 0x80000004,
  deliver_sm: 0x00000005,
  deliver_sm_resp: 0x80000005,
  unbind: 0x00000006,
  unbind_resp: 0x80000006,
  bind_transceiver: 0x00000009,
  bind_transceiver_resp: 0x80000009,
  enquire_link: 0x00000015,
  enquire_link_resp: 0x80000015,
  alert_notification: 0x00000102,
  data_sm: 0x00000103,
  data_sm_resp: 0x80000103,
} as const;

export type Command = keyof typeof COMMANDS;

type FieldType = "cstring" | "integer" | "octets";
type Layout = readonly (readonly [name: keyof Fields, type: FieldType])[];

const SOURCE: Layout = [
  ["source_addr_ton", "integer"],
  ["source_addr_npi", "integer"],
  ["source_addr", "cstring"],
];
const DESTINATION: Layout = [
  ["dest_addr_ton", "integer"],
  ["dest_addr_npi", "integer"],
  ["destination_addr", "cstring"],
];
const BIND: Layout = [
  ["system_id", "cstring"],
  ["password", "cstring"],
  ["system_type", "cstring"],
  ["interface_version", "integer"],
  ["addr_ton", "integer"],
  ["addr_npi", "integer"],
  ["address_range", "cstring"],
];
const BOUND: Layout = [["system_id", "cstring"]];
const MESSAGE: Layout = [
  ["service_type", "cstring"],
  ...SOURCE,
  ...DESTINATION,
  ["esm_class", "integer"],
  ["protocol_id", "integer"],
  ["priority_flag", "integer"],
  ["schedule_delivery_time", "cstring"],
  ["validity_period", "cstring"],
  ["registered_delivery", "integer"],
  ["replace_if_present_flag", "integer"],
  ["data_coding", "integer"],
  ["sm_default_msg_id", "integer"],
  ["short_message", "octets"],
];
const DATA: Layout = [
  ["service_type", "cstring"],
  ...SOURCE,
  ...DESTINATION,
  ["esm_class", "integer"],
  ["registered_delivery", "integer"],
  ["data_coding", "integer"],
];
const ACCEPTED: Layout = [["message_id", "cstring"]];

/** The mandatory parameters of each command, in order (SMPP 3.4, section 4). Commands that are not listed have none. */
const LAYOUTS: Partial<Record<Command, Layout>> = {
  bind_receiver: BIND,
  bind_receiver_resp: BOUND,
  bind_transmitter: BIND,
  bind_transmitter_resp: BOUND,
  bind_transceiver: BIND,
  bind_transceiver_resp: BOUND,
  submit_sm: MESSAGE,
  submit_sm_resp: ACCEPTED,
  deliver_sm: MESSAGE,
  deliver_sm_resp: ACCEPTED,
  data_sm: DATA,
  data_sm_resp: ACCEPTED,
};

/** The optional parameters that Trunkline uses (SMPP 3.4, 5.3.2): tag and type. */
const OPTIONAL = {
  receipted_message_id: [0x001e, "cstring"],
  sar_msg_ref_num: [0x020c, "integer"],
  sar_total_segments: [0x020e, "integer"],
  sar_segment_seqnum: [0x020f, "integer"],
  network_error_code: [0x0423, "octets"],
  message_payload: [0x0424, "octets"],
  message_state: [0x0427, "integer"],
} as const satisfies Partial<Record<keyof Fields, readonly [tag: number, type: FieldType]>>;

const OPTIONAL_SIZES: Partial<Record<keyof Fields, number>> = { sar_msg_ref_num: 2 };

/** The parameters of a PDU. Texts are Latin-1: one character per octet. */
export interface Fields {
  system_id?: string;
  password?: string;
  system_type?: string;
  interface_version?: number;
  addr_ton?: number;
  addr_npi?: number;
  address_range?: string;
  service_type?: string;
  source_addr_ton?: number;
  source_addr_npi?: number;
  source_addr?: string;
  dest_addr_ton?: number;
  dest_addr_npi?: number;
  destination_addr?: string;
  esm_class?: number;
  protocol_id?: number;
  priority_flag?: number;
  schedule_delivery_time?: string;
  validity_period?: string;
  registered_delivery?: number;
  replace_if_present_flag?: number;
  data_coding?: number;
  sm_default_msg_id?: number;
  short_message?: Buffer;
  message_id?: string;
  receipted_message_id?: string;
  sar_msg_ref_num?: number;
  sar_total_segments?: number;
  sar_segment_seqnum?: number;
  network_error_code?: Buffer;
  message_payload?: Buffer;
  message_state?: number;
}

/** A PDU. `command` is null for an ID that Trunkline does not know; such a PDU has no fields. */
export interface Pdu {
  command: Command | null;
  commandId: number;
  status: number;
  sequence: number;
  fields: Fields;
  /** The frame of a PDU whose body could not be read. `fields` are those before the end of what could be read. */
  unreadable?: Buffer;
}

export const HEADER_SIZE = 16;
const RESPONSE = 0x80000000;

const NAMES: ReadonlyMap<number, Command> = new Map(
  Object.entries(COMMANDS).map(([name, id]) => [id, name as Command]),
);

/** A PDU whose body ends within a mandatory parameter. Its header could be read. */
export class UnreadablePdu extends Error {
  constructor(
    readonly commandId: number,
    readonly sequence: number,
    /** The mandatory parameters up to the one that could not be read. */
    readonly fields: Fields,
  ) {
    super(`a PDU with command ID 0x${commandId.toString(16)} could not be read`);
  }
}

/** The name of a command; null for one that Trunkline does not know. */
export function commandOf(commandId: number): Command | null {
  return NAMES.get(commandId) ?? null;
}

/** Whether a PDU answers a request. */
export function isResponse({ commandId }: Pick<Pdu, "commandId">): boolean {
  return commandId >= RESPONSE;
}

/** The command that answers a request: its own response, or generic_nack where Trunkline knows none. */
export function responseTo(commandId: number): Command {
  return NAMES.get(commandId + RESPONSE) ?? "generic_nack";
}

/** Encodes a PDU. A response with a status other than 0 has no body. Throws RangeError for values that do not fit. */
export function encodePdu(
  command: Command,
  fields: Fields,
  header: { sequence: number; status?: number },
): Buffer {
  const { sequence, status = 0 } = header;
  const id = COMMANDS[command];
  const body = id >= RESPONSE && status !== 0 ? [] : encodeBody(command, fields);
  const head = Buffer.alloc(HEADER_SIZE);
  const size = body.reduce((sum, { length }) => sum + length, HEADER_SIZE);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(id, 4);
  head.writeUInt32BE(status, 8);
  head.writeUInt32BE(sequence, 12);
  return Buffer.concat([head, ...body], size);
}

function encodeBody(command: Command, fields: Fields): Buffer[] {
  const mandatory = (LAYOUTS[command] ?? []).map(([name, type]) => encodeField(type, fields[name], name));
  const optional = Object.entries(OPTIONAL).flatMap(([name, [tag, type]]) => {
    const value = fields[name as keyof typeof OPTIONAL];
    return value === undefined ? [] : encodeOptional(tag, type, value, name as keyof Fields);
  });
  return [...mandatory, ...optional];
}

type Value = Fields[keyof Fields];

function encodeField(type: FieldType, value: Value, name: string): Buffer {
  if (type === "integer") return Buffer.from([octet(Number(value ?? 0), name)]);
  if (type === "cstring") return encodeCString(String(value ?? ""), name);
  const octets = Buffer.isBuffer(value) ? value : Buffer.alloc(0);
  return Buffer.concat([Buffer.from([octet(octets.length, name)]), octets]);
}

function encodeOptional(tag: number, type: FieldType, value: Value, name: keyof Fields): Buffer {
  const content = type === "octets" && Buffer.isBuffer(value) ? value : encodeOptionalText(type, value, name);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(content.length, 2);
  return Buffer.concat([head, content]);
}

function encodeOptionalText(type: FieldType, value: Value, name: keyof Fields): Buffer {
  if (type === "cstring") return encodeCString(String(value), name);
  const size = OPTIONAL_SIZES[name] ?? 1;
  const integer = Buffer.alloc(size);
  integer.writeUIntBE(Number(value), 0, size);
  return integer;
}

function octet(value: number, name: string): number {
  if (!Number.isInteger(value) || value < 0 || value > 0xff) {
    throw new RangeError(`${name} does not fit into an octet`);
  }
  return value;
}

function encodeCString(text: string, name: string): Buffer {
  const octets = Buffer.from(text, "latin1");
  if (octets.includes(0) || octets.toString("latin1") !== text) {
    throw new RangeError(`${name} has a character that SMPP can't carry`);
  }
  return Buffer.concat([octets, Buffer.alloc(1)]);
}

/**
 * Decodes one PDU: the bytes of a frame. Optional parameters that end early are ignored, and so are unknown ones. A
 * response may lack its body, or the end of its text. Throws UnreadablePdu.
 */
export function decodePdu(frame: Buffer): Pdu {
  const commandId = frame.readUInt32BE(4);
  const sequence = frame.readUInt32BE(12);
  const command = commandOf(commandId);
  const head = { command, commandId, status: frame.readUInt32BE(8), sequence };
  const layout = command === null ? undefined : LAYOUTS[command];
  if (layout === undefined) return { ...head, fields: {} };
  const body = frame.subarray(HEADER_SIZE);
  if (body.length === 0 && isResponse(head)) return { ...head, fields: {} };
  const read = readMandatory(layout, isResponse(head) ? Buffer.concat([body, Buffer.alloc(1)]) : body);
  if (read.end === null) throw new UnreadablePdu(commandId, sequence, read.fields);
  return { ...head, fields: { ...read.fields, ...readOptional(body.subarray(read.end)) } };
}

/** `end` is null when the body ends within a parameter. */
function readMandatory(layout: Layout, body: Buffer): { fields: Fields; end: number | null } {
  const values: Record<string, Value> = {};
  let at = 0;
  for (const [name, type] of layout) {
    const read = type === "cstring" ? readCString(body, at) : readOctets(body, at, type);
    if (read === null) return { fields: values, end: null };
    values[name] = read.value;
    at = read.end;
  }
  return { fields: values, end: at };
}

interface Read {
  value: Value;
  end: number;
}

function readCString(body: Buffer, at: number): Read | null {
  const end = body.indexOf(0, at);
  return end === -1 ? null : { value: body.toString("latin1", at, end), end: end + 1 };
}

function readOctets(body: Buffer, at: number, type: FieldType): Read | null {
  const first = body[at];
  if (first === undefined) return null;
  if (type === "integer") return { value: first, end: at + 1 };
  const end = at + 1 + first;
  return end > body.length ? null : { value: body.subarray(at + 1, end), end };
}

const OPTIONAL_NAMES: ReadonlyMap<number, readonly [keyof Fields, FieldType]> = new Map(
  Object.entries(OPTIONAL).map(([name, [tag, type]]) => [tag, [name as keyof Fields, type]]),
);

function readOptional(body: Buffer): Fields {
  const values: Record<string, Value> = {};
  let at = 0;
  while (at + 4 <= body.length) {
    const [name, type] = OPTIONAL_NAMES.get(body.readUInt16BE(at)) ?? [];
    const end = at + 4 + body.readUInt16BE(at + 2);
    if (end > body.length) break;
    const content = body.subarray(at + 4, end);
    if (name !== undefined && type !== undefined) values[name] = optionalValue(type, content);
    at = end;
  }
  return values;
}

/** SMS centers differ in the size of integers, and in whether a text ends with NUL. */
function optionalValue(type: FieldType, content: Buffer): Value {
  if (type === "octets") return content;
  if (type === "cstring") return content.toString("latin1").split("\0", 1)[0];
  return content.length === 0 || content.length > 4 ? undefined : content.readUIntBE(0, content.length);
}

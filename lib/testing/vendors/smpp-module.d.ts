/** The part of the npm package `smpp` that the SMS center of the tests uses. */
declare module "smpp" {
  import type { EventEmitter } from "node:events";
  import type { Server as NetServer, Socket } from "node:net";

  /** A decoded text with its user data headers, or the undecoded bytes of an unknown encoding. */
  export interface ShortMessage {
    message: string | Buffer;
    udh?: Buffer[];
  }

  export interface Pdu {
    command: string;
    command_status: number;
    sequence_number: number;
    system_id?: string;
    password?: string;
    message_id?: string;
    source_addr?: string;
    source_addr_ton?: number;
    source_addr_npi?: number;
    destination_addr?: string;
    dest_addr_ton?: number;
    esm_class?: number;
    data_coding?: number;
    registered_delivery?: number;
    short_message?: ShortMessage;
    message_payload?: ShortMessage;
    receipted_message_id?: string;
    message_state?: number;
    sar_msg_ref_num?: number;
    sar_total_segments?: number;
    sar_segment_seqnum?: number;
    isResponse(): boolean;
    response(options?: Record<string, unknown>): Pdu;
    toBuffer(): Buffer;
  }

  export const PDU: new (command: string, options?: Record<string, unknown>) => Pdu;

  export class Session extends EventEmitter {
    constructor(options: { socket: Socket });
    readonly socket: Socket;
    /** Returns false when the connection is closed. Throws when the PDU can't be encoded. */
    send(pdu: Pdu, onResponse?: (response: Pdu) => void, onSent?: () => void): boolean;
    close(): void;
    destroy(): void;
    pause(): void;
    resume(): void;
  }

  export class Server extends NetServer {
    readonly sessions: Session[];
  }

  export function createServer(
    options: { key?: string; cert?: string },
    onSession: (session: Session) => void,
  ): Server;

  /** The package assigns `errors` in a loop, so Node does not find it as a named export. */
  const smpp: {
    /** Names of command statuses, and their numbers. */
    errors: Readonly<Record<string, number>>;
  };
  export default smpp;
}

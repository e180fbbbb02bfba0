import type pg from "pg";

/** A column of a statement's result. `table` and `column` are 0 for an expression. */
export interface ResultColumn {
  name: string;
  type: number;
  table: number;
  column: number;
}

interface Description {
  parameterTypes: number[];
  columns: ResultColumn[];
}

interface Field {
  name: string;
  dataTypeID: number;
  tableID: number;
  columnID: number;
}

/** The driver's connection, as far as it is used here. */
interface Connection {
  on(event: "parameterDescription", listener: Listener): void;
  off(event: "parameterDescription", listener: Listener): void;
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(target: { type: "S"; name: string }): void;
  sync(): void;
}

type Listener = (message: { dataTypeIDs: number[] }) => void;

/** Asks PostgreSQL for the parameters and columns of a statement without running it. Rejects with its error. */
export function describeText(client: pg.Client, text: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    client.query(new Describe(text, resolve, reject) as unknown as pg.Submittable);
  });
}

/** A query of the driver that is parsed and described, and never executed. */
class Describe {
  readonly #text: string;
  readonly #resolve: (described: Description) => void;
  readonly #reject: (error: Error) => void;
  readonly #onParameters: Listener = ({ dataTypeIDs }) => {
    this.#parameterTypes = dataTypeIDs;
  };
  #connection: Connection | null = null;
  #parameterTypes: number[] = [];
  #fields: Field[] = [];

  constructor(text: string, resolve: (described: Description) => void, reject: (error: Error) => void) {
    this.#text = text;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.on("parameterDescription", this.#onParameters);
    connection.parse({ name: "", text: this.#text, types: [] });
    connection.describe({ type: "S", name: "" });
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#fields = fields;
  }

  handleError(error: Error): void {
    this.#connection?.off("parameterDescription", this.#onParameters);
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#connection?.off("parameterDescription", this.#onParameters);
    const columns = this.#fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      type: dataTypeID,
      table: tableID,
      column: columnID,
    }));
    this.#resolve({ parameterTypes: this.#parameterTypes, columns });
  }
}

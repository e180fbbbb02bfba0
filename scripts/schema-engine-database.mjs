// Connects the schema engine to PostgreSQL: @prisma/adapter-pg with fixes for migrations, which need more than queries
// do.
import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";

const TEXT_OID = 25;
const CHAR_OID = 18;
// int2vector, regproc, oidvector, pg_node_tree, regclass, regtype: catalog column types that the adapter refuses to
// read.
const CATALOG_OIDS = new Set([22, 24, 30, 194, 2205, 2206]);

/** Creates adapters for the database at `url`, with shadow databases on the same server. */
export function createAdapterFactory(url) {
  const schema = new URL(url).searchParams.get("schema") ?? undefined;
  const factory = new PrismaPg({ connectionString: url }, { schema });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => forMigrations(await connect());
  factory.connectToShadowDb = () => connectToShadowDatabase(url);
  return factory;
}

/** Connects, runs `work` with the client, and closes the connection. */
export async function withConnection(url, work) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs a statement about the database in `url` from the server's maintenance database. */
export async function runOnServer(url, statement) {
  const name = pg.escapeIdentifier(decodeURIComponent(new URL(url).pathname.slice(1)));
  await withConnection(withDatabase(url, "postgres"), (client) => client.query(statement(name)));
}

// The adapter drops the shadow database before it closes its connections to it, which PostgreSQL rejects.
async function connectToShadowDatabase(url) {
  const name = `prisma_migrate_shadow_db_${randomUUID()}`;
  await withConnection(url, (client) => client.query(`CREATE DATABASE "${name}"`));
  const adapter = forMigrations(await new PrismaPg({ connectionString: withDatabase(url, name) }).connect());
  const dispose = adapter.dispose.bind(adapter);
  adapter.dispose = async () => {
    await dispose();
    await withConnection(url, (client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
  };
  return adapter;
}

function forMigrations(adapter) {
  readCatalogs(adapter);
  // The adapter splits a script at every semicolon, even inside function bodies and strings.
  adapter.executeScript = async (script) => {
    await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
  };
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolation) => readCatalogs(await startTransaction(isolation));
  return adapter;
}

/** Makes `queryRaw` return catalog columns: "char" as one character, the others as text. */
function readCatalogs(queryable) {
  const { queryRaw } = Object.getPrototypeOf(queryable);
  queryable.queryRaw = async (query) => {
    let characters = [];
    const reader = Object.create(queryable);
    reader.performIO = async (statement) => {
      const result = await queryable.performIO(statement);
      characters = result.fields.map((field) => field.dataTypeID === CHAR_OID);
      for (const field of result.fields) {
        if (field.dataTypeID === CHAR_OID || CATALOG_OIDS.has(field.dataTypeID)) field.dataTypeID = TEXT_OID;
      }
      return result;
    };
    const answer = await queryRaw.call(reader, query);
    const columnTypes = answer.columnTypes.map((type, at) =>
      characters[at] ? ColumnTypeEnum.Character : type,
    );
    return { ...answer, columnTypes };
  };
  return queryable;
}

function withDatabase(url, name) {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.toString();
}

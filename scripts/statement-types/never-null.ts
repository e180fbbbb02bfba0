import { listOf, nodeOf, nodesOf, type TreeNode } from "./node-tree.ts";

/** What the rules need to know about the database. */
export interface Catalog {
  /** `table id:column number` of the columns that are not null. */
  notNull: ReadonlySet<string>;
  functions: ReadonlyMap<number, { name: string; isStrict: boolean }>;
  operators: ReadonlyMap<number, { name: string; functionId: number }>;
}

const NEVER_NULL = new Set(
  (
    "jsonb_build_object json_build_object jsonb_build_array json_build_array now clock_timestamp statement_timestamp " +
    "transaction_timestamp concat concat_ws gen_random_uuid uuidv7 pg_is_in_recovery num_nulls num_nonnulls " +
    "generate_series"
  ).split(" "),
);
/** Functions that return null only for null. Others can return null for a value, as `array_length` does. */
const NULL_ONLY_FOR_NULL = new Set(
  (
    "lower upper length char_length octet_length encode decode md5 sha256 date_trunc to_char timezone abs round floor " +
    "ceil date_part extract replace split_part substring substr left right ltrim rtrim btrim position strpos " +
    "jsonb_array_length starts_with to_timestamp make_interval date format overlay repeat lpad int4 int8 float8 " +
    "numeric text bool trunc row_to_json to_json to_jsonb jsonb_typeof hashtext hashtextextended array_to_string search_text"
  ).split(" "),
);
/** Operators that return null for a key or position that does not exist. */
const LOOKUPS = new Set(["->", "->>", "#>", "#>>"]);
const COUNTS = new Set(["count", "row_number", "rank", "dense_rank"]);

/**
 * One query of PostgreSQL's analyzed tree. It says of a result column whether it is certainly never null. PostgreSQL
 * itself marks the variables that an outer join can make null; everything the rules do not know may be null.
 */
export class AnalyzedQuery {
  readonly #query: TreeNode;
  readonly #outer: AnalyzedQuery | null;
  readonly #catalog: Catalog;
  readonly #tables: TreeNode[];
  readonly #columns = new Map<number, boolean>();
  readonly #queries = new Map<TreeNode, AnalyzedQuery>();
  #required: Set<string> | null = null;

  constructor(query: TreeNode, catalog: Catalog, outer: AnalyzedQuery | null = null) {
    this.#query = query;
    this.#catalog = catalog;
    this.#outer = outer;
    this.#tables = nodesOf(query.rtable);
  }

  /** Whether a result column is never null. `index` starts at 0. */
  isColumnNeverNull(index: number): boolean {
    const known = this.#columns.get(index);
    if (known !== undefined) return known;
    // A recursive query refers to its own column: the other branches decide.
    this.#columns.set(index, true);
    const isNeverNull = this.#isResultNeverNull(index);
    this.#columns.set(index, isNeverNull);
    return isNeverNull;
  }

  #isResultNeverNull(index: number): boolean {
    const operations = nodeOf(this.#query.setOperations);
    if (operations !== undefined) {
      return branchesOf(operations).every((branch) => this.#subquery(branch).isColumnNeverNull(index));
    }
    const list = this.#query.commandType === "1" ? this.#query.targetList : this.#query.returningList;
    const target = nodesOf(list).filter((entry) => entry.resjunk !== "true")[index];
    return target !== undefined && this.#isNeverNull(nodeOf(target.expr));
  }

  #subquery(tableNumber: number): AnalyzedQuery {
    const table = this.#tables[tableNumber - 1];
    return this.#queryOf(nodeOf(table?.subquery), this);
  }

  #queryOf(query: TreeNode | undefined, outer: AnalyzedQuery): AnalyzedQuery {
    if (query === undefined) throw new Error("the tree has no query where one belongs");
    const made = this.#queries.get(query) ?? new AnalyzedQuery(query, this.#catalog, outer);
    this.#queries.set(query, made);
    return made;
  }

  #level(levels: number): AnalyzedQuery {
    return levels === 0 || this.#outer === null ? this : this.#outer.#level(levels - 1);
  }

  #areNeverNull(expressions: TreeNode["args"]): boolean {
    return nodesOf(expressions).every((expression) => this.#isNeverNull(expression));
  }

  #isNeverNull(node: TreeNode | undefined): boolean {
    switch (node?.tag) {
      case "VAR":
        return this.#isVariableNeverNull(node);
      case "CONST":
        return node.constisnull === "false";
      case "COALESCEEXPR":
      case "COALESCE":
      case "MINMAXEXPR":
      case "MINMAX":
        return nodesOf(node.args).some((argument) => this.#isNeverNull(argument));
      case "CASEEXPR":
      case "CASE":
        return (
          this.#isNeverNull(nodeOf(node.defresult)) &&
          nodesOf(node.args).every((branch) => this.#isNeverNull(nodeOf(branch.result)))
        );
      case "NULLTEST":
      case "BOOLEANTEST":
      case "DISTINCTEXPR":
      case "ARRAYEXPR":
      case "ARRAY":
      case "ROWEXPR":
      case "ROW":
      case "SQLVALUEFUNCTION":
      case "JSONCONSTRUCTOREXPR":
        return true;
      case "BOOLEXPR":
        return this.#areNeverNull(node.args);
      case "RELABELTYPE":
      case "COERCEVIAIO":
      case "COERCETODOMAIN":
      case "ARRAYCOERCEEXPR":
      case "COLLATEEXPR":
      case "COLLATE":
        return this.#isNeverNull(nodeOf(node.arg));
      case "AGGREF":
        return COUNTS.has(this.#functionOf(node.aggfnoid)?.name ?? "");
      case "WINDOWFUNC":
        return COUNTS.has(this.#functionOf(node.winfnoid)?.name ?? "");
      case "FUNCEXPR":
        return this.#isCallNeverNull(node);
      case "OPEXPR":
        return (
          !LOOKUPS.has(this.#catalog.operators.get(Number(node.opno))?.name ?? "->") &&
          this.#areNeverNull(node.args)
        );
      case "SUBLINK":
        return this.#isSublinkNeverNull(node);
      default:
        return false;
    }
  }

  #functionOf(id: TreeNode["funcid"]): { name: string; isStrict: boolean } | undefined {
    return this.#catalog.functions.get(Number(id));
  }

  #isCallNeverNull(node: TreeNode): boolean {
    const called = this.#functionOf(node.funcid);
    if (called === undefined) return false;
    if (NEVER_NULL.has(called.name)) return true;
    const isCast = node.funcformat === "1" || node.funcformat === "2";
    return (
      called.isStrict && (isCast || NULL_ONLY_FOR_NULL.has(called.name)) && this.#areNeverNull(node.args)
    );
  }

  #isSublinkNeverNull(node: TreeNode): boolean {
    const EXISTS = "0";
    const SCALAR = "4";
    const ARRAY = "6";
    if (node.subLinkType === EXISTS || node.subLinkType === ARRAY) return true;
    const query = nodeOf(node.subselect);
    // An aggregate without groups always has one row.
    const hasOneRow =
      query?.hasAggs === "true" &&
      [query.groupClause, query.havingQual, query.limitCount, query.limitOffset].every(
        (part) => part == null,
      );
    return node.subLinkType === SCALAR && hasOneRow && this.#queryOf(query, this).isColumnNeverNull(0);
  }

  #isVariableNeverNull(node: TreeNode): boolean {
    const owner = this.#level(Number(node.varlevelsup ?? 0));
    if (owner.#requiredVariables().has(keyOf(node))) return true;
    const canBeLeftOut = listOf(node.varnullingrels).some((item) => item !== "b");
    return !canBeLeftOut && owner.#isTableColumnNeverNull(Number(node.varno), Number(node.varattno));
  }

  #isTableColumnNeverNull(number: number, column: number): boolean {
    const table = this.#tables[number - 1];
    if (table === undefined || column <= 0) return column < 0;
    switch (table.rtekind) {
      case "0":
        return this.#catalog.notNull.has(`${table.relid}:${column}`);
      case "1":
        return this.#subquery(number).isColumnNeverNull(column - 1);
      case "2":
        return this.#isNeverNull(nodesOf(table.joinaliasvars)[column - 1]);
      case "3":
        return this.#isFunctionColumnNeverNull(table, column);
      case "5":
        return listOf(table.values_lists).every((row) => this.#isNeverNull(nodesOf(row)[column - 1]));
      case "6":
        return this.#isCteColumnNeverNull(table, column);
      case "9":
        return this.#isNeverNull(nodesOf(table.groupexprs)[column - 1]);
      default:
        return false;
    }
  }

  #isFunctionColumnNeverNull(table: TreeNode, column: number): boolean {
    const width = listOf(nodeOf(table.eref)?.colnames).length;
    if (table.funcordinality === "true" && column === width) return true;
    const call = nodeOf(nodesOf(table.functions)[0]?.funcexpr);
    return call?.tag === "FUNCEXPR" && this.#functionOf(call.funcid)?.name === "generate_series";
  }

  #isCteColumnNeverNull(table: TreeNode, column: number): boolean {
    const owner = this.#level(Number(table.ctelevelsup));
    const cte = nodesOf(owner.#query.cteList).find(({ ctename }) => ctename === table.ctename);
    if (cte === undefined) return false;
    return owner.#queryOf(nodeOf(cte.ctequery), owner).isColumnNeverNull(column - 1);
  }

  /**
   * The variables that a condition makes not null: `is not null` and strict comparisons in `where` and inner joins. Not
   * those of the table that an update changes, because `returning` has its new values.
   */
  #requiredVariables(): ReadonlySet<string> {
    if (this.#required !== null) return this.#required;
    const required = new Set<string>();
    this.#required = required;
    const changed = this.#query.commandType === "1" ? "0" : this.#query.resultRelation;
    const add = (expression: TreeNode | undefined): void => {
      const variable = expression?.tag === "RELABELTYPE" ? nodeOf(expression.arg) : expression;
      const isOwn = variable?.tag === "VAR" && Number(variable.varlevelsup ?? 0) === 0;
      if (isOwn && variable.varno !== changed) required.add(keyOf(variable));
    };
    const addConditions = (condition: TreeNode): void => {
      const [first] = nodesOf(condition.args);
      if (condition.tag === "BOOLEXPR" && condition.boolop === "and")
        nodesOf(condition.args).forEach(addConditions);
      else if (condition.tag === "NULLTEST" && condition.nulltesttype === "1") add(nodeOf(condition.arg));
      else if (condition.tag === "OPEXPR" && this.#isStrictTest(condition))
        nodesOf(condition.args).forEach(add);
      else if (condition.tag === "SCALARARRAYOPEXPR" && condition.useOr === "true") add(first);
    };
    const addJoins = (node: TreeNode): void => {
      const isInner = node.tag === "FROMEXPR" || node.jointype === "0";
      if (isInner) nodesOf(node.quals).forEach(addConditions);
      if (node.tag === "FROMEXPR") nodesOf(node.fromlist).forEach(addJoins);
      if (node.tag === "JOINEXPR" && (isInner || node.jointype === "1")) nodesOf(node.larg).forEach(addJoins);
      if (node.tag === "JOINEXPR" && isInner) nodesOf(node.rarg).forEach(addJoins);
    };
    nodesOf(this.#query.jointree).forEach(addJoins);
    return required;
  }

  #isStrictTest(condition: TreeNode): boolean {
    const BOOLEAN = "16";
    const operator = this.#catalog.operators.get(Number(condition.opno));
    const isStrict = this.#catalog.functions.get(operator?.functionId ?? 0)?.isStrict === true;
    return condition.opresulttype === BOOLEAN && isStrict;
  }
}

function keyOf(variable: TreeNode): string {
  return `${variable.varno}:${variable.varattno}`;
}

function branchesOf(node: TreeNode): number[] {
  if (node.tag !== "SETOPERATIONSTMT") return [Number(node.rtindex)];
  return [...nodesOf(node.larg), ...nodesOf(node.rarg)].flatMap(branchesOf);
}

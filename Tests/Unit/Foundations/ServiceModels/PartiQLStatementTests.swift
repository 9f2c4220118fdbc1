import Testing
import WireFormats

@testable import ServiceModels

@Suite("Statements of PartiQL")
struct PartiQLStatementTests {
    private static let cases: [(text: String, action: String, table: String, index: String?)] = [
        (#"SELECT * FROM "orders" WHERE id = 'from'"#, "PartiQLSelect", "orders", nil),
        (#"select a, b from orders."byDate" where a = 1"#, "PartiQLSelect", "orders", "byDate"),
        (#"INSERT INTO "orders" value {'id': 'a, b; c'}"#, "PartiQLInsert", "orders", nil),
        (#"UPDATE "my ""table""" SET a = 1 WHERE id = 'x'"#, "PartiQLUpdate", #"my "table""#, nil),
        ("DELETE FROM my-table WHERE id = 'x'", "PartiQLDelete", "my-table", nil),
        (#"EXISTS(SELECT * FROM "orders" WHERE id = 'x')"#, "PartiQLSelect", "orders", nil),
    ]

    @Test("G14: action, table and index of a statement", arguments: cases)
    func statements(_ text: String, _ action: String, _ table: String, _ index: String?) {
        let statement = PartiQLStatement(text)
        #expect(statement?.action == action)
        #expect(statement?.table == table)
        #expect(statement?.index == index)
    }

    @Test(
        "G41: statements that could name other tables are refused",
        arguments: [
            #"SELECT * FROM "a", "b""#, #"SELECT * FROM "a" WHERE id IN (SELECT id FROM "b")"#,
            #"SELECT * FROM "a"; DELETE FROM "b""#, #"SELECT * FROM "a" -- FROM "b""#, #"SELECT * /* FROM "b" */ FROM "a""#,
            #"SELECT * FROM "a"#, "SELECT * FROM 'a'", "DROP TABLE a", "", #"SELECT * FROM "a" JOIN "b""#, #"SELECT "x" FROM `b`"#,
            "DELETE FROM orders.byDate WHERE id = 'x'", "SELECT * FROM a x, b y", "SELECT * FROM a x , b", "SELECT * FROM a AS x, b AS y",
            #"SELECT * FROM "a" CROSS "b""#, #"SELECT * FROM a["b"]"#, #"SELECT * FROM "a"."i"."b""#,
        ])
    func refused(_ text: String) { #expect(PartiQLStatement(text) == nil) }

    @Test("G14: each statement of a transaction needs its permission")
    func transaction() throws {
        try Needs(
            "dynamodb", "ExecuteTransaction",
            [
                "TransactStatements": [
                    ["Statement": #"INSERT INTO "a" VALUE {'id': '1'}"#], ["Statement": #"SELECT * FROM "b"."i" WHERE id = '1'"#],
                ]
            ],
            need("dynamodb:PartiQLInsert", "dynamodb:table/a"), need("dynamodb:PartiQLSelect", "dynamodb:table/b/index/i")
        ).check()
        let nested = #"SELECT * FROM "a", "b""#
        #expect(throws: UndecidableCall.statement(nested)) {
            try Needs("dynamodb", "ExecuteStatement", ["Statement": .string(nested)]).permissions()
        }
    }
}

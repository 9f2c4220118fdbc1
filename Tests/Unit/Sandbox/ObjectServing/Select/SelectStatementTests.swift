import Testing

@testable import ObjectServing

@Suite("SQL statements of OSS")
struct SelectStatementTests {
    private static let record = """
        {"name": "Rosie", "age": 44, "tall": true, "height": 1.5, "born": "1980-02-03", "empty": "", "nothing": null,
         "pets": [{"name": "Rex"}, {"name": "Tom"}], "Company": {"City": "Oslo"}, "text": "7", "pattern": "50%_off"}
        """

    /// Returns whether the record satisfies a condition, or nil if its values have another type.
    private static func holds(_ condition: String) throws -> Bool? {
        let statement = try SelectParser.statement("select * from ossobject o where \(condition)")
        let record = JSONRecord(node: try JSONNode(parsing: Array(record.utf8)[...]), takesNumbersAsTexts: false)
        var isMissing = false
        do { return try statement.condition?.value(in: record, isMissing: &isMissing).truth() ?? false } catch { return nil }
    }

    @Test(
        "evaluate their condition",
        arguments: [
            ("name = 'Rosie'", true), ("name <> 'Rosie'", false), ("name != 'rosie'", true), ("ossobject.name = 'Rosie'", true),
            ("o.name = 'Rosie'", true), ("\"name\" = 'Rosie'", true), ("NAME = 'Rosie'", true), ("company.city = 'Oslo'", true),
            ("pets[1].name = 'Tom'", true), ("pets[2].name is null", true), ("age > 43.5", true), ("age >= 44 and age <= 44", true),
            ("age < 44", false), ("text = 7", true), ("text = 7.0", true), ("text < '61'", false), ("age between 44 and 50", true),
            ("age not between 1 and 50", false), ("age in (1, 44)", true), ("age not in (1, 2)", true), ("name in ('a')", false),
            ("tall", true), ("not tall", false), ("tall = 'true'", true), ("nothing is null", true), ("name is not null", true),
            ("nothing = 1", false), ("not nothing = 1", false), ("nothing = 1 or tall", true), ("age = 1 or age = 2 or age = 44", true),
            ("tall and age = 1 or name = 'Rosie'", true), ("tall and (age = 1 or name = 'Rosie')", true), ("age + 1 = 45", true),
            ("age - 2 * 4 = 36", true), ("age / 8 = 5 and age % 8 = 4", true), ("height * 2 = 3", true), ("-age = -44", true),
            ("name || '-' || text = 'Rosie-7'", true), ("cast(text as int) = 7", true), ("cast(height as int) = 1", true),
            ("cast(age as string) = '44'", true), ("cast(empty as int) is null", true), ("empty = ''", true),
            ("cast(born as timestamp) < cast('1980-02-03 00:00:01' as timestamp)", true), ("cast('TRUE' as boolean)", true),
            ("name like 'R%'", true), ("name like '%s_e'", true), ("name like 'r%'", false), ("name not like '%x%'", true),
            ("pattern like '50!%!_o%' escape '!'", true), ("pattern like '5_!%%' escape '!'", true), ("true", true),
            ("name = 'O''Hara'", false),
            ("9223372036854775807 + 1 > 9223372036854775807", false),
        ] as [(String, Bool)])
    func conditions(condition: String, holds: Bool) throws { #expect(try Self.holds(condition) == holds) }

    @Test(
        "fail for records whose values have another type",
        arguments: ["name > 1", "cast(name as int) = 1", "pets = 1", "age / 0 = 1", "cast(name as timestamp) is null", "name and tall"])
    func mismatches(condition: String) throws { #expect(try Self.holds(condition) == nil) }

    @Test(
        "are refused with an error code",
        arguments: [
            ("", .sqlSyntaxError), ("select", .sqlSyntaxError), ("select * from", .sqlSyntaxError),
            ("select * from s3object", .sqlSyntaxError),
            ("delete from ossobject", .sqlSyntaxError), ("select * from ossobject order by _1", .sqlSyntaxError),
            ("select * from ossobject group by _1", .sqlSyntaxError), ("select a || b from ossobject", .sqlSyntaxError),
            ("select * from ossobject a join ossobject b on a._1 = b._1", .sqlSyntaxError),
            ("select a, count(*) from ossobject", .sqlSyntaxError),
            ("select * from ossobject where avg(_1) > 1", .sqlSyntaxError), ("select * from ossobject where", .sqlSyntaxError),
            ("select * from ossobject where _1 = 'a", .sqlSyntaxError), ("select * from ossobject where _1 = ?", .sqlSyntaxError),
            ("select * from ossobject where cast(_1 as money) = 1", .sqlSyntaxError),
            ("select * from ossobject where _1 in ()", .sqlSyntaxError),
            ("select * from ossobject where _1 not 2", .sqlSyntaxError), ("select * from ossobject limit 0", .sqlInvalidLimitValue),
            ("select * from ossobject limit x", .sqlInvalidLimitValue), ("select _0 from ossobject", .sqlInvalidColumnIndex),
            ("select _1001 from ossobject", .sqlInvalidColumnIndex), ("select a[*] from ossobject", .wildCardNotAllowed),
            ("select * from ossobject where a like '%a%b%c%d%e%'", .sqlExceedsMaxWildCardCount),
            ("select * from ossobject where a like 'a%' escape '%'", .sqlInvalidEscapeCharacter),
            ("select * from ossobject where a like 'a!' escape '!'", .sqlInvalidEscapeCharacter),
        ] as [(String, SelectRefusal.Code)])
    func refusals(statement: String, code: SelectRefusal.Code) {
        #expect { try SelectParser.statement(statement) } throws: { ($0 as? SelectRefusal)?.code == code }
    }

    @Test("have limits, at any nesting")
    func limits() {
        let open = String(repeating: "(", count: 5000)
        for (condition, code) in [
            (open, SelectRefusal.Code.sqlExceedsMaxConditionDepth),
            ("1" + String(repeating: "+1", count: 600), .sqlExceedsMaxConditionDepth),
            ("_1 in (1\(String(repeating: ",1", count: 1024)))", .sqlExceedsMaxInCount),
            (String(repeating: "a", count: 16 << 10), .invalidSQLParameter),
        ] {
            #expect { try SelectParser.statement("select * from ossobject where \(condition)") } throws: {
                ($0 as? SelectRefusal)?.code == code
            }
        }
        let long = String(repeating: "_1=1 or ", count: 1900)
        #expect(throws: Never.self) { try SelectParser.statement("select * from ossobject where \(long)_1=2") }
    }

    @Test("use the last of several aliases, and ignore a quotation mark after the end, as the service does")
    func leniency() throws {
        let statement = try SelectParser.statement("SELECT person.firstname as aaa as firstname, extra FROM ossobject' ")
        guard case .columns(let columns) = statement.output else {
            Issue.record("No columns were read.")
            return
        }
        try #require(columns.map(\.alias) == ["firstname", nil])
        #expect(columns[0].column.path == [.name("person"), .name("firstname")])
    }
}

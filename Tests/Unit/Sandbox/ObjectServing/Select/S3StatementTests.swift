import Testing
import WireFormats

@testable import ObjectServing

@Suite("SQL statements of S3 Select")
struct S3StatementTests {
    private static let record = """
        {"name": "Rosie", "age": 44, "tall": true, "height": 1.5, "born": "1980-02-03T", "empty": "", "nothing": null, "Name2": "x", "NAME2": "y",
         "pets": [{"name": "Rex"}, {"name": "Tom"}], "Company": {"City": "Oslo"}, "text": " 7", "padded": "  a b ", "tags": ["a", 2]}
        """

    private static let dialect = SelectDialect.s3(now: Timestamp(seconds: 1_500_000_000))

    /// Returns the value of an expression in the record, or the cause of its failure.
    private static func value(_ expression: String) throws -> String {
        let statement = try SelectParser.statement("SELECT \(expression) AS x FROM S3Object[*] s", dialect)
        guard case .expressions(let list) = statement.output else { return "no expression" }
        let record = JSONRecord(node: try JSONNode(parsing: Array(record.utf8)[...]), takesNumbersAsTexts: false)
        var isMissing = false
        do { return try list[0].expression.value(in: record, isMissing: &isMissing).text ?? "null" } catch { return "\(error.cause)" }
    }

    @Test(
        "compare and combine values",
        arguments: [
            ("s.name = 'Rosie'", "true"), ("S3Object.name = 'Rosie'", "true"), ("NAME <> 'Rosie'", "false"),
            ("s.\"NAME\" IS MISSING", "true"),
            ("nothing IS MISSING", "false"), ("nothing IS NULL", "true"), ("gone IS NULL", "true"), ("gone IS NOT MISSING", "false"),
            ("name2", "ambiguousColumn"), ("\"NAME2\"", "y"), ("company.city", "Oslo"), ("s.Company['City']", "Oslo"),
            ("pets[1].name", "Tom"),
            ("_1.name", "Rosie"), ("text = 7", "true"), ("text > 6.5", "true"), ("name = 7", "false"), ("name != 7", "true"),
            ("name > 7", "false"), ("tall = 'true'", "false"), ("age BETWEEN 44 AND 50", "true"), ("name BETWEEN 'A' AND 'B'", "false"),
            ("age NOT IN (1, 2, 40 + 4)", "false"), ("age IN [44]", "true"), ("'a' IN s.tags", "true"), ("2 IN tags", "true"),
            ("name LIKE '_os%'", "true"), ("name NOT LIKE 'r%'", "true"), ("'a_b' LIKE '%%_b' ESCAPE '%'", "false"),
            ("'50%' LIKE '50!%' ESCAPE '!'", "true"), ("nothing = 1 OR tall", "true"), ("nothing = 1 AND tall", "null"),
            ("NOT tall", "false"),
            ("age = 44 = true", "true"), ("age / 8", "5"), ("age % 8", "4"), ("-age + 1.5e1", "-29"), ("age / 0", "division"),
            ("name + 1", "type"), ("3.0 / 2", "1.5"), ("name || '!'", "Rosie!"), (".5 * 4", "2"),
        ])
    func operators(expression: String, value: String) throws { #expect(try Self.value(expression) == value) }

    /// Most of them are examples of the S3 User Guide, "SQL functions".
    @Test(
        "call functions",
        arguments: [
            ("COALESCE(gone, nothing, 3)", "3"), ("COALESCE(null, gone)", "null"), ("NULLIF(age, 44)", "null"), ("NULLIF(age, 45)", "44"),
            ("CASE WHEN age < 40 THEN 'young' WHEN age < 50 THEN 'grown' ELSE 'old' END", "grown"),
            ("CASE name WHEN 'Ross' THEN 1 WHEN 'Rosie' THEN 2 END", "2"), ("CASE WHEN tall = false THEN 1 END", "null"),
            ("CAST(text AS INT)", "7"), ("CAST(name AS INT)", "cast"), ("CAST('1.5' AS INT)", "cast"), ("CAST(height AS INTEGER)", "1"),
            ("CAST(empty AS FLOAT)", "cast"), ("CAST('true' AS BOOL)", "true"), ("CAST(0 AS BOOL)", "false"), ("CAST(age AS STRING)", "44"),
            ("CAST('1.50' AS DECIMAL(10, 2))", "1.5"), ("CAST(born AS TIMESTAMP) < `1980-02-04T`", "true"),
            ("CHAR_LENGTH('')", "0"), ("CHARACTER_LENGTH('abcdé')", "5"), ("LOWER('AbC')", "abc"), ("UPPER(name)", "ROSIE"),
            ("SUBSTRING('123456789', 0)", "123456789"), ("SUBSTRING('123456789', 2)", "23456789"),
            ("SUBSTRING('123456789', -4)", "123456789"),
            ("SUBSTRING('123456789', 0, 999)", "123456789"), ("SUBSTRING('123456789', 1, 5)", "12345"),
            ("SUBSTRING('123456789' FROM 2 FOR 3)", "234"), ("SUBSTRING('123456789', -1, 4)", "12"),
            ("SUBSTRING('a', 1, -1)", "illegalArgument"),
            ("TRIM('       foobar         ')", "foobar"), ("TRIM(LEADING FROM padded)", "a b "), ("TRIM(TRAILING FROM padded)", "  a b"),
            ("TRIM(BOTH FROM padded)", "a b"), ("TRIM(BOTH '12' FROM '1112211foobar22211122')", "foobar"), ("LOWER(age)", "argument"),
            ("DATE_ADD(year, 5, `2010-01-01T`)", "2015-01-01"), ("DATE_ADD(month, 1, `2010T`)", "2010-02T"),
            ("DATE_ADD(month, 13, `2010T`)", "2011-02T"), ("DATE_ADD(day, -1, `2017-01-10T`)", "2017-01-09"),
            ("DATE_ADD(hour, 1, `2017T`)", "2017-01-01T01:00Z"), ("DATE_ADD(hour, 1, `2017-01-02T03:04Z`)", "2017-01-02T04:04Z"),
            ("DATE_ADD(minute, 1, `2017-01-02T03:04:05.006Z`)", "2017-01-02T03:05:05.006Z"),
            ("DATE_ADD(month, 1, `2024-01-31`)", "2024-02-29"),
            ("DATE_DIFF(year, `2010-01-01T`, `2011-01-01T`)", "1"), ("DATE_DIFF(year, `2010T`, `2010-05T`)", "0"),
            ("DATE_DIFF(month, `2010T`, `2011T`)", "12"), ("DATE_DIFF(month, `2011T`, `2010T`)", "-12"),
            ("DATE_DIFF(day, '2010-01-01T23:00:00Z', '2010-01-02T01:00:00Z')", "0"), ("EXTRACT(YEAR FROM `2010-01-01T`)", "2010"),
            ("EXTRACT(MONTH FROM `2010-10T`)", "10"), ("EXTRACT(HOUR FROM `2017-01-02T03:04:05+07:08`)", "3"),
            ("EXTRACT(TIMEZONE_HOUR FROM `2017-01-02T03:04:05+07:08`)", "7"),
            ("EXTRACT(TIMEZONE_MINUTE FROM `2017-01-02T03:04:05+07:08`)", "8"),
            ("TO_STRING(`1969-07-20T20:18Z`, 'MMMM d, y')", "July 20, 1969"),
            ("TO_STRING(`1969-07-20T20:18Z`, 'MMM d, yyyy')", "Jul 20, 1969"),
            ("TO_STRING(`1969-07-20T20:18Z`, 'M-d-yy')", "7-20-69"), ("TO_STRING(`1969-07-20T20:18Z`, 'MM-d-y')", "07-20-1969"),
            ("TO_STRING(`1969-07-20T20:18Z`, 'MMMM d, y h:m a')", "July 20, 1969 8:18 PM"),
            ("TO_STRING(`1969-07-20T20:18Z`, 'y-MM-dd''T''H:m:ssX')", "1969-07-20T20:18:00Z"),
            ("TO_STRING(`1969-07-20T20:18:00+08:00`, 'H:m:ssX')", "20:18:00+08"),
            ("TO_STRING(`1969-07-20T20:18:00+08:00`, 'ssXXXX')", "00+0800"),
            ("TO_STRING(`1969-07-20T20:18:00+08:00`, 'ssXXXXX')", "00+08:00"), ("TO_STRING(`1969-07-20T20:18Z`, 'q')", "timestampPattern"),
            ("TO_TIMESTAMP('2007T')", "2007T"), ("TO_TIMESTAMP('2007-02-23T12:14:33.079-08:00')", "2007-02-23T12:14:33.079-08:00"),
            ("TO_TIMESTAMP(name)", "timestamp"), ("UTCNOW()", "2017-07-14T02:40:00.000Z"), ("UPPER(gone)", "null"),
        ])
    func functions(expression: String, value: String) throws { #expect(try Self.value(expression) == value) }

    @Test(
        "are refused with the violated rule",
        arguments: [
            ("", .notSelect), ("DROP TABLE S3Object", .notSelect), ("SELECT", .emptySelect), ("SELECT FROM S3Object", .emptySelect),
            ("SELECT *", .missingFrom), ("SELECT * FROM", .unsupportedTable), ("SELECT * FROM archive", .unsupportedTable),
            ("SELECT *, a FROM S3Object", .asteriskNotAlone), ("SELECT s.*, a FROM S3Object s", .asteriskNotAlone),
            ("SELECT a[*] FROM S3Object", .wildcardInSelectList), ("SELECT a, COUNT(*) FROM S3Object", .misplacedAggregate),
            ("SELECT a + MAX(a) FROM S3Object", .misplacedAggregate), ("SELECT MAX(SUM(a)) FROM S3Object", .misplacedAggregate),
            ("SELECT * FROM S3Object WHERE MAX(a) = 1", .misplacedAggregate), ("SELECT SUM(*) FROM S3Object", .starInCall),
            ("SELECT SUM(a, b) FROM S3Object", .aggregateArity), ("SELECT MAX() FROM S3Object", .aggregateArity),
            ("SELECT a AS FROM S3Object", .alias), ("SELECT a AS 1 FROM S3Object", .alias),
            ("SELECT * FROM S3Object AS WHERE a = 1", .alias),
            ("SELECT CAST(a, INT) FROM S3Object", .castArity), ("SELECT CAST(a AS MONEY) FROM S3Object", .typeName),
            ("SELECT CAST(a INT) FROM S3Object", .keyword), ("SELECT CAST FROM S3Object", .leftParenthesisOfCast),
            ("SELECT UPPER(a FROM S3Object", .missingFrom), ("SELECT UPPER(a, b) FROM S3Object", .functionArity),
            ("SELECT MEDIAN(a) FROM S3Object", .function), ("SELECT DATE_ADD(week, 1, a) FROM S3Object", .datePart),
            ("SELECT DATE_ADD(year 1, a) FROM S3Object", .argumentDelimiter), ("SELECT CASE END FROM S3Object", .unexpectedKeyword),
            ("SELECT CASE a END FROM S3Object", .whenClause), ("SELECT * FROM S3Object WHERE", .expression),
            ("SELECT * FROM S3Object WHERE a = 'x", .invalidLiteral), ("SELECT * FROM S3Object WHERE a = ?", .invalidCharacter),
            ("SELECT * FROM S3Object WHERE a = `x`", .invalidIonLiteral), ("SELECT * FROM S3Object WHERE a LIKE 1", .likePattern),
            ("SELECT * FROM S3Object WHERE a NOT 2", .keyword), ("SELECT * FROM S3Object WHERE (a = 1", .rightParenthesis),
            ("SELECT * FROM S3Object LIMIT x", .number), ("SELECT * FROM S3Object LIMIT -1", .negativeLimit),
            ("SELECT * FROM S3Object GROUP BY a", .groupBy), ("SELECT * FROM S3Object s JOIN S3Object t", .join),
            ("SELECT * FROM S3Object s, S3Object t", .multipleSources), ("SELECT * FROM S3Object ORDER BY a", .unexpectedKeyword),
            ("SELECT * FROM S3Object s LIMIT 1 1", .token), ("SELECT a. FROM S3Object", .token),
        ] as [(String, SelectRefusal.Grammar)])
    func grammar(statement: String, rule: SelectRefusal.Grammar) {
        #expect { try SelectParser.statement(statement, Self.dialect) } throws: { ($0 as? SelectRefusal)?.detail == .grammar(rule) }
    }

    @Test("may end with a semicolon, and have a limit of zero")
    func ends() throws {
        #expect(try SelectParser.statement("SELECT * FROM S3Object LIMIT 0;", Self.dialect).limit == 0)
    }

    @Test("have limits, at any nesting")
    func limits() {
        for condition in [
            String(repeating: "(", count: 5000), "1" + String(repeating: "+1", count: 600), "1" + String(repeating: "=1", count: 600),
            String(repeating: "CASE WHEN ", count: 300),
        ] {
            #expect { try SelectParser.statement("select * from s3object where \(condition)", Self.dialect) } throws: {
                ($0 as? SelectRefusal)?.code == .sqlExceedsMaxConditionDepth
            }
        }
    }
}

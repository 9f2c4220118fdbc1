import Policy
import Testing
import WireFormats

/// Every combination of set operator and `IfExists`, with a key that is missing, empty, or has values. The policy's values are a and b.
///
/// The pages are of the IAM User Guide: "Single-valued vs. multivalued context keys" (set operators), "IAM JSON policy elements: Condition
/// operators" (`IfExists`, `Null`, missing keys).
@Suite("Set operators and IfExists")
struct SetOperatorTests {
    /// The values of the key in the request.
    static let values: [[String]?] = [nil, [], ["a"], ["x"], ["a", "b"], ["a", "x"], ["x", "y"]]

    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        /// Whether the condition holds for each of ``values``: `+` or `-`.
        var outcomes: String
        var source: String

        init(_ name: String, _ outcomes: String, _ source: String) {
            self.name = name
            self.outcomes = outcomes
            self.source = source
        }

        var testDescription: String { "\(name): \(source)" }
    }

    private static let single = "A key with several values needs a set operator (observed of AWS)."

    @Test(
        "give the documented result for every number of values",
        arguments: [
            Row("StringEquals", "-------", single), Row("StringNotEquals", "++-----", single),
            Row("StringEqualsIfExists", "++-----", single), Row("StringNotEqualsIfExists", "++-----", single),
            Row("ForAnyValue:StringEquals", "--+-++-", "ForAnyValue: false for a missing key or a null data set."),
            Row("ForAnyValue:StringNotEquals", "---+-++", "ForAnyValue: false for a missing key or a null data set."),
            Row("ForAnyValue:StringEqualsIfExists", "--+-++-", "IfExists has no effect on ForAnyValue (AWS re:Post, a live test)."),
            Row("ForAnyValue:StringNotEqualsIfExists", "---+-++", "IfExists has no effect on ForAnyValue (AWS re:Post, a live test)."),
            Row("ForAllValues:StringEquals", "+++-+--", "ForAllValues: true for a missing key or a null data set."),
            Row("ForAllValues:StringNotEquals", "++-+--+", "ForAllValues: true for a missing key or a null data set."),
            Row("ForAllValues:StringEqualsIfExists", "+++-+--", "IfExists: true for a missing key, as ForAllValues is."),
            Row("ForAllValues:StringNotEqualsIfExists", "++-+--+", "IfExists: true for a missing key, as ForAllValues is."),
        ])
    func matrix(_ row: Row) throws {
        for (values, outcome) in zip(Self.values, row.outcomes) {
            let keys: [String: ConditionValues] = values.map { ["x:k": .many($0)] } ?? [:]
            #expect(try holds(row.name, "x:k", ["a", "b"], keys) == (outcome == "+"), "\(row.name) of \(String(describing: values))")
        }
    }

    @Test("Null counts a key without values as missing", arguments: [("true", "++-----"), ("false", "--+++++")])
    func null(_ wanted: String, _ outcomes: String) throws {
        for (values, outcome) in zip(Self.values, outcomes) {
            let keys: [String: ConditionValues] = values.map { ["x:k": .many($0)] } ?? [:]
            #expect(try holds("Null", "x:k", .string(wanted), keys) == (outcome == "+"))
        }
    }

    /// RAM User Guide, "Conditional operators": operators for texts, numbers, dates, Booleans and addresses, and no others.
    @Test(
        "are no operators of RAM",
        arguments: [
            "ForAnyValue:StringEquals", "ForAllValues:StringEquals", "StringEqualsIfExists", "ForAnyValue:StringEqualsIfExists", "Null",
        ])
    func ram(_ name: String) {
        let text = """
            {"Version":"1","Statement":[{"Effect":"Allow","Action":"oss:*","Resource":"*","Condition":{"\(name)":{"acs:UserAgent":["true"]}}}]}
            """
        #expect(throws: PolicySyntaxError.self) { try PolicyDocument(parsing: text, kind: .identity, dialect: .ram) }
    }
}

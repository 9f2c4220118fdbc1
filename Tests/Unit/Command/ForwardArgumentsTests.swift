import Testing

@testable import VirgaCommand

@Suite("The rules of --forward")
struct ForwardArgumentsTests {
    @Test(
        "G1: a list that was split at its commas is joined to rules",
        arguments: [
            (["sqs=http://a"], ["sqs=http://a"]), (["sqs", "sns=http://a", "kms=http://b"], ["sqs,sns=http://a", "kms=http://b"]),
            (["sqs,sns=http://a", "*=http://b"], ["sqs,sns=http://a", "*=http://b"]), (["sqs=http://a", "kms"], ["sqs=http://a", "kms"]),
            ([], []),
        ] as [([String], [String])])
    func joined(_ parts: [String], _ rules: [String]) {
        #expect(ForwardArguments.joined(parts) == rules)
    }
}

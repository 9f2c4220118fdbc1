import Policy
import Testing

private let allow = #"{"Effect":"Allow","Action":"s3:*","Resource":"*"}"#
private let trusting = #"{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"AWS":"*"}}"#
private let syntax = "Syntax errors in policy."
private let legacy = "The policy failed legacy parsing"
private let spaces = "JSON strings must not have leading  spaces"
private let invalid = "This policy contains invalid Json"

/// The sources are in ``PolicyDocument/storing(_:as:dialect:)``.
@Suite("The form of policies that IAM stores")
struct StoredPolicyTests {
    private func fault(_ text: String, _ kind: PolicyDocument.Kind, _ dialect: PolicyDialect = .aws) -> String? {
        do {
            _ = try PolicyDocument.storing(text, as: kind, dialect: dialect)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("nothing comes before the brace", arguments: [" ", "  ", "\t", "\n", "\r\n", "\n    "])
    func beginning(space: String) {
        let identity = #"{"Version":"2012-10-17","Statement":[\#(allow)]}"#
        #expect(fault(identity, .identity) == nil)
        #expect(fault(identity + space, .identity) == nil)
        #expect(fault(space + identity, .identity) == legacy)
        #expect(fault(space + identity, .identity, .ceph) == nil)
        let trust = #"{"Version":"2012-10-17","Statement":[\#(trusting)]}"#
        #expect(fault(trust, .trust) == nil)
        #expect(fault(trust + space, .trust) == nil)
        #expect(fault(space + trust, .trust) == spaces)
        #expect(fault(space + trust, .trust, .ceph) == nil)
    }

    @Test(
        "a statement that is not in a list follows the version",
        arguments: [
            (#"{"Statement":\#(allow),"Version":"2012-10-17"}"#, legacy), (#"{"Version":"2012-10-17","Statement":\#(allow)}"#, nil),
            (#"{"Statement":[\#(allow)],"Version":"2012-10-17"}"#, nil), (#"{"Statement":\#(allow),"Version":"2008-10-17"}"#, legacy),
            (#"{"Statement":\#(allow),"Id":"x","Version":"2012-10-17"}"#, legacy), (#"{"Statement":\#(allow)}"#, nil),
            (#"{"Statement":\#(allow),"Id":"x"}"#, nil),
        ] as [(String, String?)])
    func order(text: String, message: String?) {
        #expect(fault(text, .identity) == message)
        #expect(fault(text, .identity, .ceph) == nil)
    }

    @Test(
        "the service of a resource is not a wildcard",
        arguments: [
            ("arn:aws:*:*:*:*fss-prod*", true), ("arn:aws:*:*:111122223333:*", true), ("arn:aws:*:::b", true), ("arn:aws:s3:::*", false),
            ("*", false), ("arn:aws:*", false),
        ])
    func service(resource: String, isRefused: Bool) {
        let refusal = isRefused ? "Resource vendor must be fully qualified and cannot contain regexes." : nil
        for name in ["Resource", "NotResource"] {
            let text = #"{"Statement":[\#(allow),{"Effect":"Deny","Action":"s3:*","\#(name)":["*","\#(resource)"]}]}"#
            #expect(fault(text, .identity) == refusal)
            #expect(fault(text, .identity, .ceph) == nil)
        }
    }

    @Test("the order does not matter in a trust policy")
    func orderOfTrust() {
        #expect(fault(#"{"Statement":\#(trusting),"Version":"2012-10-17"}"#, .trust) == nil)
    }

    @Test(
        "errors in the structure are reported first, others afterwards",
        arguments: [
            (" {", PolicyDocument.Kind.identity, syntax), (" {}", .identity, syntax), (" []", .identity, syntax),
            (#" {"Statement":{"Effect":"Allow"}}"#, .identity, legacy),
            (#" {"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"b"}}"#, .identity, legacy),
            (#"{"Statement":{"Effect":"Allow"},"Version":"2012-10-17"}"#, .identity, legacy), (" {", .trust, invalid),
            (" []", .trust, invalid), (#" {"Statement":[]}"#, .trust, spaces),
            (#" {"Statement":{"Effect":"Allow","Action":"sts:AssumeRole"}}"#, .trust, spaces),
        ])
    func stages(text: String, kind: PolicyDocument.Kind, message: String) {
        #expect(fault(text, kind) == message)
    }
}

import Policy
import Testing
import WireFormats

@testable import Directory

@Suite("Inline policies and permissions boundaries")
struct HolderPolicyTests {
    private static let account = "123456789012"

    private func policy(_ name: String) throws -> InlinePolicy {
        let text = #"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}"#
        return InlinePolicy(name: name, document: try PolicyDocument(parsing: text, kind: .identity), text: text)
    }

    @Test("of one name replace each other, in any case, and keep the first spelling")
    func inline() throws {
        var user = User(account: Self.account, name: "ann", path: "/", id: "U1")
        let size = try policy("All").shownText.countedSize
        try user.putInlinePolicy(try policy("All"), limit: size)
        try user.putInlinePolicy(try policy("ALL"), limit: size)
        #expect(user.policies.map(\.name) == ["All"])
        #expect(user.inlinePolicy("all") != nil)
        let other = try policy("Other")
        #expect(throws: InlinePolicyRefusal.limitExceeded(size)) {
            var copy = user
            try copy.putInlinePolicy(other, limit: size)
        }
        #expect(throws: InlinePolicyRefusal.noSuchPolicy("Other")) {
            var copy = user
            try copy.deleteInlinePolicy("Other")
        }
        try user.deleteInlinePolicy("aLL")
        #expect(user.policies.isEmpty)
    }

    @Test("can be managed policies of the account and of AWS, but not those of services")
    func attachable() throws {
        let directory = Directory()
        #expect(throws: AttachmentRefusal.noSuchPolicy("arn:aws:iam::\(Self.account):policy/none")) {
            try directory.attachablePolicy("arn:aws:iam::\(Self.account):policy/none", in: Self.account)
        }
        #expect(throws: AttachmentRefusal.serviceRolePolicy) {
            try directory.attachablePolicy("arn:aws:iam::aws:policy/aws-service-role/AWSSupportServiceRolePolicy", in: Self.account)
        }
        #expect(try directory.attachablePolicy("arn:aws:iam::aws:policy/ReadOnlyAccess", in: Self.account).name == "ReadOnlyAccess")
    }

    @Test("are removed only where there is one")
    func boundary() throws {
        var user = User(account: Self.account, name: "ann", path: "/", id: "U1", boundary: "arn:aws:iam::aws:policy/ReadOnlyAccess")
        try user.removeBoundary()
        #expect(throws: AttachmentRefusal.noBoundary("ann")) { try user.removeBoundary() }
    }
}

import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import Policy
import Testing
import WireFormats

@testable import S3Face

private let virga = Account.canonicalUserID(of: "000000000000")
private let other = Account.canonicalUserID(of: "111111111111")
private let allUsers = "http://acs.amazonaws.com/groups/global/AllUsers"

@Suite("Access control lists (ACLs)")
struct AccessControlListTests {
    /// Runs a test in a sandbox whose buckets have ACLs.
    private func withLists(dialect: Dialect = .aws, _ test: (S3Sandbox) async throws -> Void) async throws {
        try await S3Sandbox.run(newBuckets: .legacy, dialect: dialect, test)
    }

    @Test("grant everything to the owner by default")
    func privateList() async throws {
        try await withLists { s3 async throws in
            for target in ["/files?acl", "/files/public/hello.txt?acl"] {
                let answer = try await s3.send(.get, target)
                #expect(answer.status == 200)
                #expect(answer.grants == ["\(virga) FULL_CONTROL"])
                #expect(try answer.xml.child("Owner")?.child("ID")?.text == virga)
                #expect(answer.text.contains(#"xsi:type="CanonicalUser""#))
            }
        }
    }

    @Test(
        "can be canned",
        arguments: [
            ("private", []), ("public-read", ["\(allUsers) READ"]), ("public-read-write", ["\(allUsers) READ", "\(allUsers) WRITE"]),
            ("authenticated-read", ["http://acs.amazonaws.com/groups/global/AuthenticatedUsers READ"]),
            ("bucket-owner-full-control", []),
            (
                "log-delivery-write",
                ["http://acs.amazonaws.com/groups/s3/LogDelivery WRITE", "http://acs.amazonaws.com/groups/s3/LogDelivery READ_ACP"]
            ),
        ])
    func canned(_ name: String, _ grants: [String]) async throws {
        try await withLists { s3 async throws in
            #expect(try await s3.send(.put, "/files?acl", ["x-amz-acl": name]).status == 200)
            #expect(try await s3.send(.get, "/files?acl").grants == ["\(virga) FULL_CONTROL"] + grants)
        }
    }

    @Test("of a bucket allow other accounts")
    func bucketGrants() async throws {
        try await withLists { s3 async throws in
            #expect(try await s3.send(.get, "/files", as: .other).status == 403)
            #expect(try await s3.send(.put, "/files/new", body: [1], as: .other).status == 403)
            let fields = ["x-amz-grant-read": "id=\"\(other)\"", "x-amz-grant-write": "id=\(other)"]
            #expect(try await s3.send(.put, "/files?acl", fields).status == 200)
            let listing = try await s3.send(.get, "/files", as: .other)
            #expect(listing.status == 200)
            #expect(
                listing.journal.decisions.flatMap { $0.evidence.trace.explanation }.contains {
                    $0.hasPrefix(#"access control list "list of bucket files""#) && $0.hasSuffix("applies")
                })
            #expect(try await s3.send(.put, "/files/new", body: [1], as: .other).status == 200)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .other).status == 403)
            #expect(try await s3.send(.get, "/files?acl", as: .other).status == 403)
            #expect(try await s3.send(.get, "/files", as: .nobody).status == 403)
        }
    }

    @Test("of an object allow strangers to read it, but not to write it")
    func objectGrants() async throws {
        try await withLists { s3 async throws in
            _ = try await s3.send(.put, "/files/public/hello.txt?acl", ["x-amz-acl": "public-read-write"])
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .nobody).text == "0123456789")
            #expect(try await s3.send(.put, "/files/public/hello.txt", body: [1], as: .nobody).status == 403)
            _ = try await s3.send(.put, "/files/public/hello.txt?acl", ["x-amz-acl": "authenticated-read"])
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .nobody).status == 403)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .other).status == 200)
            let deny = #"{"Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::files/*"}]}"#
            #expect(try await s3.send(.put, "/files?policy", body: Array(deny.utf8)).status == 204)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .other).status == 403)
        }
    }

    @Test("refuse email addresses, except in Ceph's dialect, which resolves them")
    func addresses() async throws {
        try await withLists { s3 async throws in
            let document = list(
                owner: virga, [(type: "AmazonCustomerByEmail", "<EmailAddress>other@example.com</EmailAddress>", "READ_ACP")])
            let refused = try await s3.send(.put, "/files?acl", body: Array(document.utf8))
            #expect(refused.status == 405)
            #expect(refused.code == "MethodNotAllowed")
            let header = try await s3.send(.put, "/files?acl", ["x-amz-grant-read": "emailAddress=\"other@example.com\""])
            #expect(header.status == 405)
        }
        try await withLists(dialect: .ceph) { s3 async throws in
            let unknown = list(owner: virga, [(type: "AmazonCustomerByEmail", "<EmailAddress>a@b.c</EmailAddress>", "READ")])
            let answer = try await s3.send(.put, "/files?acl", body: Array(unknown.utf8))
            #expect(answer.status == 400)
            #expect(answer.code == "UnresolvableGrantByEmailAddress")
        }
    }

    @Test("can be documents")
    func documents() async throws {
        try await withLists(dialect: .ceph) { s3 async throws in
            let document = list(
                owner: virga, [(type: "AmazonCustomerByEmail", "<EmailAddress>Other@example.com</EmailAddress>", "READ_ACP")])
            #expect(try await s3.send(.put, "/files?acl", body: Array(document.utf8)).status == 200)
            #expect(try await s3.send(.get, "/files?acl", as: .other).grants == ["\(other) READ_ACP"])
            let empty = list(owner: virga, [])
            #expect(try await s3.send(.put, "/files?acl", body: Array(empty.utf8)).status == 200)
            #expect(try await s3.send(.get, "/files?acl").grants == [])
        }
    }

    @Test("that are invalid are refused with S3's messages")
    func malformed() async throws {
        try await withLists { s3 async throws in
            let cases: [(String, String, String)] = [
                ("<Foo/>", "MalformedACLError", ""),
                (list(owner: virga, [(type: "Group", "<URI>http://x</URI>", "READ")]), "InvalidArgument", "Invalid group uri"),
                (list(owner: virga, [(type: "CanonicalUser", "<ID>x</ID>", "READ")]), "InvalidArgument", "Invalid id"),
                (list(owner: virga, [(type: "CanonicalUser", "<ID>\(other)</ID>", "ALL")]), "MalformedACLError", ""),
                (list(owner: virga, [(type: "Person", "<ID>\(other)</ID>", "READ")]), "MalformedACLError", ""),
            ]
            for (body, code, message) in cases {
                let answer = try await s3.send(.put, "/files?acl", body: Array(body.utf8))
                #expect(answer.status == 400, "\(body)")
                #expect(answer.code == code, "\(body)")
                if !message.isEmpty { #expect(answer.detail("Message") == message) }
            }
            let foreign = list(owner: other, [])
            #expect(try await s3.send(.put, "/files?acl", body: Array(foreign.utf8)).code == "AccessDenied")
            let nothing = try await s3.send(.put, "/files?acl")
            #expect(nothing.status == 400)
            #expect(nothing.code == "MissingSecurityHeader")
            let unknown = try await s3.send(.put, "/files?acl", ["x-amz-acl": "public-ready"])
            #expect(unknown.status == 400)
            #expect(unknown.code == "InvalidArgument")
            #expect(unknown.detail("ArgumentName") == "x-amz-acl")
            let both = try await s3.send(.put, "/files?acl", ["x-amz-acl": "private", "x-amz-grant-read": "id=\(other)"])
            #expect(both.status == 400)
            #expect(both.code == "InvalidRequest")
            let odd = try await s3.send(.put, "/files?acl", ["x-amz-grant-read": "name=\(other)"])
            #expect(odd.status == 400)
            #expect(odd.detail("Message") == "Argument format not recognized")
            let content = try await s3.send(.put, "/files?acl", ["x-amz-acl": "private"], body: Array(foreign.utf8))
            #expect(content.status == 400)
            #expect(content.code == "UnexpectedContent")
            #expect(try await s3.send(.get, "/files?acl").grants == ["\(virga) FULL_CONTROL"])
        }
    }

    @Test("of a new object need the permission to set one")
    func permission() async throws {
        try await withLists { s3 async throws in
            let policy = """
                {"Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:PutObjectAcl","Resource":"arn:aws:s3:::files/*"}]}
                """
            #expect(try await s3.send(.put, "/files?policy", body: Array(policy.utf8)).status == 204)
            #expect(try await s3.send(.put, "/files/plain", body: [1]).status == 200)
            #expect(try await s3.send(.put, "/files/listed", ["x-amz-acl": "public-read"], body: [1]).status == 403)
        }
    }
}

private func list(owner: String, _ grants: [(type: String, grantee: String, permission: String)]) -> String {
    let grants = grants.map {
        """
        <Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="\($0.type)">\($0.grantee)</Grantee>\
        <Permission>\($0.permission)</Permission></Grant>
        """
    }
    return """
        <AccessControlPolicy xmlns="\(S3Face.namespace)"><Owner><ID>\(owner)</ID></Owner>\
        <AccessControlList>\(grants.joined())</AccessControlList></AccessControlPolicy>
        """
}

extension FaceAnswer {
    /// The grants of a returned ACL: grantee and permission.
    var grants: [String] {
        let list = try? xml.child("AccessControlList")?.children ?? []
        return (list ?? []).map { grant in
            let grantee = grant.child("Grantee")
            return "\(grantee?.child("ID")?.text ?? grantee?.child("URI")?.text ?? "") \(grant.child("Permission")?.text ?? "")"
        }
    }
}

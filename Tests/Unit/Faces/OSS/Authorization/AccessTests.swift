import Cloud
import Federation
import HTTPTypes
import ObjectStore
import Policy
import Testing
import WireFormats

import struct Policy.Tag

@testable import OSSFace

@Suite("Access control of OSS")
struct OSSAccessTests {
    private func put(policy: String, _ oss: OSSSandbox) async throws -> OSSAnswer {
        try await oss.send(.put, "/files?policy", document: policy)
    }

    private func policy(_ effect: String, _ principal: String, _ action: String, _ resource: String, _ more: String = "") -> String {
        """
        {"Version":"1","Statement":[{"Effect":"\(effect)","Principal":["\(principal)"],"Action":["oss:\(action)"],\
        "Resource":["acs:oss:*:\(OSSSandbox.owner):\(resource)"]\(more)}]}
        """
    }

    @Test("follows the policies of a user, with the prefix of a listing as condition key")
    func identity() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?bucketInfo", as: .reader).status == 200)
            #expect(try await oss.send(.get, "/files?prefix=public/a", as: .reader).status == 200)
            #expect(try await oss.send(.get, "/files?list-type=2&prefix=private/", as: .reader).status == 403)
            let refused = try await oss.send(.get, "/files?acl", as: .reader)
            #expect(refused.status == 403)
            #expect(refused.code == "AccessDenied")
            #expect(refused["x-oss-ec"] == "0003-00000202")
            #expect(refused.element("AccessDeniedDetail", "AuthPrincipalOwnerId") == OSSSandbox.owner)
            #expect(refused.element("AccessDeniedDetail", "AuthPrincipalType") == "SubUser")
            #expect(refused.element("AccessDeniedDetail", "NoPermissionType") == "ImplicitDeny")
            #expect(refused.element("AccessDeniedDetail", "AuthAction") == "oss:GetBucketAcl")
            #expect(refused.journal.decisions.last?.resource == "acs:oss:oss-cn-hangzhou:\(OSSSandbox.owner):files")
            let denied = try await oss.send(.delete, "/files", as: .reader)
            #expect(denied["x-oss-ec"] == "0003-00000201")
            #expect(denied.element("AccessDeniedDetail", "NoPermissionType") == "ExplicitDeny")
            #expect(try await oss.send(.get, "/", as: .nothing).element("AccessDeniedDetail", "AuthAction") == "oss:ListBuckets")
        }
    }

    @Test("allows the owner everything, and other accounts nothing")
    func accounts() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?acl").element("Owner", "ID") == OSSSandbox.owner)
            let stranger = try await oss.send(.get, "/files?acl", as: .stranger)
            #expect(stranger.status == 403)
            #expect(stranger.element("Message") == "The bucket you access does not belong to you.")
            let anonymous = try await oss.send(.get, "/files", as: .nobody)
            #expect(anonymous.status == 403)
            #expect(anonymous.element("Message") == "Anonymous access is forbidden for this operation.")
        }
    }

    @Test("follows the ACL of the bucket, and an object's own ACL before that")
    func lists() async throws {
        try await OSSSandbox.run { oss async throws in
            let hidden = try await oss.send(.get, "/files/public/hello.txt", as: .nobody)
            #expect(hidden.status == 403)
            #expect(hidden["x-oss-ec"] == "0003-00000001")
            #expect(hidden.element("Message") == "You have no right to access this object because of bucket acl.")
            #expect(try await oss.send(.put, "/files?acl", ["x-oss-acl": "public-read"]).status == 200)
            for who in [OSSSandbox.Signer.nobody, .stranger, .nothing] {
                #expect(try await oss.send(.get, "/files/public/hello.txt", as: who).text == "0123456789")
            }
            // The ACL of a bucket does not allow others to list its keys.
            #expect(try await oss.send(.get, "/files", as: .nobody).status == 403)
            #expect(try await oss.send(.put, "/files/new", body: [1], as: .nobody).status == 403)
            let own = AccessControlList(grants: [.init(.canonicalUser(OSSSandbox.owner), .fullControl)])
            try await oss.store("secret", "x", accessControl: own)
            let secret = try await oss.send(.get, "/files/secret", as: .nobody)
            #expect(secret.status == 403)
            #expect(secret.element("Message") == "You have no right to access this object.")
            #expect(try await oss.send(.put, "/files?acl", ["x-oss-acl": "public-read-write"]).status == 200)
            #expect(try await oss.send(.put, "/files/new", body: [1], as: .nobody).status == 200)
            #expect(try await oss.send(.delete, "/files/new", as: .nobody).status == 204)
            let word = try await oss.send(.put, "/files?acl", ["x-oss-acl": "default"])
            #expect(word.status == 400)
            #expect(word.code == "InvalidArgument")
        }
    }

    @Test("applies an object's own ACL to writes and deletions as well")
    func replacing() async throws {
        try await OSSSandbox.run { oss async throws in
            let object = "/files/public/hello.txt"
            #expect(try await oss.send(.put, "/files?acl", ["x-oss-acl": "public-read-write"]).status == 200)
            #expect(try await oss.send(.put, "\(object)?acl", ["x-oss-object-acl": "private"]).status == 200)
            for who in [OSSSandbox.Signer.nobody, .stranger, .nothing] {
                let replaced = try await oss.send(.put, object, body: [1], as: who)
                #expect(replaced.status == 403)
                #expect(replaced.code == "AccessDenied")
                #expect(try await oss.send(.delete, object, as: who).status == 403)
                #expect(try await oss.send(.post, "\(object)?append&position=0", body: [1], as: who).status == 403)
                #expect(try await oss.send(.put, "\(object)?symlink", ["x-oss-symlink-target": "x"], as: who).status == 403)
            }
            #expect(try await oss.send(.get, object).text == "0123456789")
            // Conversely, an object that everyone may write in a private bucket.
            #expect(try await oss.send(.put, "/files?acl", ["x-oss-acl": "private"]).status == 200)
            #expect(try await oss.send(.put, "\(object)?acl", ["x-oss-object-acl": "public-read-write"]).status == 200)
            #expect(try await oss.send(.put, "/files/public/other", body: [1], as: .nobody).status == 403)
            #expect(try await oss.send(.delete, object, as: .stranger).status == 204)
        }
    }

    @Test("refuses public ACLs of objects if public access is blocked")
    func publicObjects() async throws {
        try await OSSSandbox.run { oss async throws in
            let block = "<PublicAccessBlockConfiguration><BlockPublicAccess>true</BlockPublicAccess></PublicAccessBlockConfiguration>"
            #expect(try await oss.send(.put, "/files?publicAccessBlock", document: block).status == 200)
            let upload = try #require(try await oss.send(.post, "/files/m?uploads").element("UploadId"))
            for word in ["public-read", "public-read-write"] {
                let acl: KeyValuePairs<String, String> = ["x-oss-object-acl": word]
                #expect(try await oss.send(.put, "/files/public/hello.txt?acl", acl).code == "AccessDenied")
                #expect(try await oss.send(.put, "/files/new", acl, body: [1]).code == "AccessDenied")
                #expect(try await oss.send(.post, "/files/m?uploads", acl).code == "AccessDenied")
                #expect(try await oss.send(.post, "/files/m?uploadId=\(upload)", acl, body: [1]).code == "AccessDenied")
            }
            #expect(try await oss.send(.put, "/files/public/hello.txt?acl", ["x-oss-object-acl": "private"]).status == 200)
            #expect(try await oss.send(.put, "/files/new", ["x-oss-object-acl": "default"], body: [1]).status == 200)
        }
    }

    @Test("follows the bucket policy, which is stored byte for byte")
    func bucketPolicy() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?policy").code == "NoSuchBucketPolicy")
            #expect(try await oss.send(.get, "/files?policyStatus").element("IsPublic") == "false")
            let text = policy("Allow", OSSSandbox.stranger, "GetObject", "files/public/*") + "\n"
            #expect(try await put(policy: text, oss).status == 200)
            let kept = try await oss.send(.get, "/files?policy")
            #expect(kept.text == text)
            #expect(kept["Content-Type"] == "application/json")
            #expect(try await oss.send(.get, "/files/public/hello.txt", as: .stranger).status == 200)
            #expect(try await oss.send(.get, "/files/public/hello.txt", as: .nobody).status == 403)
            #expect(try await put(policy: policy("Deny", "*", "GetObject", "files/*"), oss).status == 200)
            // The principal * without a condition does not include the owner.
            #expect(try await oss.send(.get, "/files/public/hello.txt").status == 200)
            let other = try await oss.send(.get, "/files/public/hello.txt", as: .reader)
            #expect(other.status == 403)
            #expect(other.element("Message") == "Access denied by bucket policy.")
            let overHTTP = #","Condition":{"Bool":{"acs:SecureTransport":"false"}}"#
            for (principal, condition) in [("*", overHTTP), (OSSSandbox.owner, "")] {
                #expect(try await put(policy: policy("Deny", principal, "GetObject", "files/*", condition), oss).status == 200)
                let denied = try await oss.send(.get, "/files/public/hello.txt")
                #expect(denied.status == 403)
                #expect(denied.element("Message") == "Access denied by bucket policy.")
            }
            // Denying everything to everyone does not exclude the owner.
            #expect(try await put(policy: policy("Deny", "*", "*", "files*"), oss).status == 200)
            #expect(try await oss.send(.get, "/files", as: .reader).status == 403)
            #expect(try await oss.send(.delete, "/files?policy").status == 204)
            #expect(try await oss.send(.get, "/files/public/hello.txt").status == 200)
        }
    }

    @Test("evaluates the conditions of a policy")
    func conditions() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.store("tagged", "x", tags: [Tag(key: "Status", value: "OK")])
            let condition = #","Condition":{"StringEquals":{"oss:ExistingObjectTag/Status":["OK"]}}"#
            #expect(try await put(policy: policy("Allow", "*", "GetObject", "files/*", condition), oss).status == 200)
            #expect(try await oss.send(.get, "/files/tagged", as: .nobody).status == 200)
            #expect(try await oss.send(.get, "/files/public/hello.txt", as: .nobody).status == 403)
            let delimiter = #","Condition":{"StringEquals":{"oss:Delimiter":["/"],"oss:Prefix":[""]}}"#
            #expect(try await put(policy: policy("Allow", "*", "ListObjects", "files", delimiter), oss).status == 200)
            #expect(try await oss.send(.get, "/files?delimiter=/", as: .nobody).status == 200)
            #expect(try await oss.send(.get, "/files", as: .nobody).status == 403)
        }
    }

    @Test("can be public unless public access is blocked")
    func publicAccessBlock() async throws {
        try await OSSSandbox.run { oss async throws in
            let open = #"{"Version":"1","Statement":[{"Effect":"Allow","Action":["oss:GetObject"],"Resource":["acs:oss:*:*:files/*"]}]}"#
            #expect(try await put(policy: open, oss).status == 200)
            #expect(try await oss.send(.get, "/files?policyStatus").element("IsPublic") == "true")
            #expect(try await oss.send(.get, "/files/public/hello.txt", as: .nobody).status == 200)
            let block = "<PublicAccessBlockConfiguration><BlockPublicAccess>true</BlockPublicAccess></PublicAccessBlockConfiguration>"
            #expect(try await oss.send(.put, "/files?publicAccessBlock", document: block).status == 200)
            #expect(try await oss.send(.get, "/files?publicAccessBlock").element("BlockPublicAccess") == "true")
            #expect(try await oss.send(.get, "/files/public/hello.txt", as: .nobody).status == 403)
            #expect(try await oss.send(.put, "/files?acl", ["x-oss-acl": "public-read"]).code == "AccessDenied")
            #expect(try await put(policy: open, oss).status == 403)
            #expect(try await oss.send(.delete, "/files?publicAccessBlock").status == 204)
            #expect(try await oss.send(.get, "/files?publicAccessBlock").element("BlockPublicAccess") == "false")
            #expect(try await oss.send(.get, "/files?bucketInfo").element("Bucket", "BlockPublicAccess") == "false")
            #expect(try await oss.send(.put, "/?publicAccessBlock", document: block).status == 200)
            #expect(try await oss.send(.get, "/?publicAccessBlock").element("BlockPublicAccess") == "true")
            #expect(try await oss.send(.put, "/files?acl", ["x-oss-acl": "public-read"]).status == 403)
            #expect(try await oss.send(.delete, "/?publicAccessBlock").status == 204)
            #expect(try await oss.send(.put, "/files?acl", ["x-oss-acl": "public-read"]).status == 200)
        }
    }

    @Test("refuses invalid policies", arguments: ["", "{", "[]", #"{"Version":"2","Statement":[]}"#, #"{"Version":"1"}"#])
    func malformedPolicies(_ text: String) async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await put(policy: text, oss)
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidPolicyDocument")
        }
    }

    @Test("requires the requester's consent to pay")
    func payer() async throws {
        try await OSSSandbox.run { oss async throws in
            #expect(try await oss.send(.get, "/files?requestPayment").element("Payer") == "BucketOwner")
            let document = "<RequestPaymentConfiguration><Payer>Requester</Payer></RequestPaymentConfiguration>"
            #expect(try await oss.send(.put, "/files?requestPayment", document: document).status == 200)
            #expect(try await oss.send(.get, "/files?requestPayment").element("Payer") == "Requester")
            #expect(try await put(policy: policy("Allow", "*", "*", "files*"), oss).status == 200)
            #expect(try await oss.send(.get, "/files/public/hello.txt", as: .stranger).status == 403)
            #expect(try await oss.send(.head, "/files/public/hello.txt", as: .stranger).status == 403)
            #expect(try await oss.send(.get, "/files/public/hello.txt", ["x-oss-request-payer": "requester"], as: .stranger).status == 200)
            #expect(try await oss.send(.get, "/files?prefix=a", ["x-oss-request-payer": "requester"], as: .stranger).status == 200)
            #expect(try await oss.send(.get, "/files/public/hello.txt", ["x-oss-request-payer": "requester"], as: .nobody).status == 403)
            #expect(try await oss.send(.get, "/files/public/hello.txt").status == 200)
        }
    }
}

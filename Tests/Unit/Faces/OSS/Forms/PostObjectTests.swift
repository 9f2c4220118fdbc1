import Calls
import Cloud
import Federation
import HTTPTypes
import RequestSigning
import Synchronization
import Testing
import WireFormats

@testable import OSSFace

@Suite("PostObject of OSS")
struct PostObjectTests {
    /// The form of a web page.
    private struct Form {
        var fields: [(String, String)] = []
        var file: String? = "content"
        var filename = "boat.jpg"
        var boundary = "xYz"

        var body: [UInt8] {
            var text = fields.map { "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }.joined()
            if let file {
                text +=
                    "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(filename)\"\r\n"
                    + "Content-Type: image/jpeg\r\n\r\n\(file)\r\n"
            }
            return Array((text + "--\(boundary)--\r\n").utf8)
        }
    }

    enum Version: CaseIterable { case v1, v4 }

    /// A form with these fields, and a policy with these conditions.
    private func signed(
        _ sandbox: OSSSandbox, _ version: Version = .v4,
        as keys: (id: String, secret: String, token: String?) = ("LTAIowner", "owner", nil),
        lifetime: Int = 600, conditions: String = "[\"starts-with\",\"$key\",\"\"]", region: String = OSSSandbox.region,
        fields: [(String, String)]
    ) -> Form {
        let now = sandbox.cloud.clock.wall
        let end = (now + .seconds(lifetime)).iso8601Milliseconds
        let policy = Array(#"{"expiration":"\#(end)","conditions":[{"bucket":"files"},\#(conditions)]}"#.utf8).base64
        var form = Form(fields: fields + [("policy", policy)])
        if let token = keys.token { form.fields.append(("x-oss-security-token", token)) }
        switch version {
        case .v1:
            form.fields += [
                ("OSSAccessKeyId", keys.id), ("Signature", OSSSignature.signature(ofText: policy, secret: keys.secret)),
            ]
        case .v4:
            let scope = CredentialScope(date: now.dateStamp, region: region, service: "oss", scheme: .alibabaCloud)
            form.fields += [
                ("x-oss-signature-version", "OSS4-HMAC-SHA256"), ("x-oss-credential", "\(keys.id)/\(scope.text)"),
                ("x-oss-date", now.basic),
                ("x-oss-signature", SignatureV4.signature(ofPolicy: policy, secret: keys.secret, scope: scope)),
            ]
        }
        return form
    }

    private func post(
        _ form: Form, _ sandbox: OSSSandbox, to target: String = "/files/", bucketFromHost: String? = nil, origin: String? = nil
    ) async throws -> OSSAnswer {
        let body = form.body
        var fields: HTTPFields = [
            .contentType: "multipart/form-data; boundary=\(form.boundary)", .contentLength: String(body.count),
        ]
        fields[.origin] = origin
        return try await sandbox.send(.post, target, fields, body, bucketFromHost: bucketFromHost)
    }

    @Test("is refused from a page that signs with a well-known key, unless the bucket allows the page", arguments: Version.allCases)
    func pages(version: Version) async throws {
        try await OSSSandbox.run { sandbox async throws in
            let form = signed(sandbox, version, fields: [("key", "a")])
            let refused = try await post(form, sandbox, origin: "https://a.example")
            #expect(refused.status == 403, "\(refused.text)")
            #expect(refused.element("Code") == "AccessDenied", "\(refused.text)")
            #expect(refused.element("Message")?.contains("--allow-foreign-pages") == true)
            #expect(try await sandbox.send(.get, "/files/a").status == 404)
            let direct = try await sandbox.send(.put, "/files/a", ["Origin": "https://a.example"], body: [1])
            #expect(direct.status == 403)
            #expect(direct.element("Message")?.contains("--allow-foreign-pages") == true)
            let rules = Array(
                """
                <CORSConfiguration><CORSRule><AllowedOrigin>https://a.example</AllowedOrigin><AllowedMethod>POST</AllowedMethod></CORSRule>\
                </CORSConfiguration>
                """.utf8)
            #expect(try await sandbox.send(.put, "/files/?cors", body: rules).status == 200)
            #expect(try await post(form, sandbox, origin: "https://a.example").status == 204)
            #expect(try await post(form, sandbox, origin: "https://b.example").status == 403)
        }
    }

    @Test("stores the file with the properties in the fields", arguments: Version.allCases)
    func stores(version: Version) async throws {
        try await OSSSandbox.run { sandbox async throws in
            let form = signed(
                sandbox, version, fields: [("key", "user/${filename}"), ("x-oss-meta-colour", "red"), ("Cache-Control", "no-cache")])
            let answer = try await post(form, sandbox)
            #expect(answer.status == 204, "\(answer.text)")
            #expect(answer.body.isEmpty, "\(answer.text)")
            #expect(answer.fields[.eTag] == "\"9A0364B9E99BB480DD25E1F0284C8555\"")
            #expect(answer.journal.operation == "PostObject")
            #expect(answer.journal.caller == "acs:ram::1234567890123456:root")
            let stored = try await sandbox.send(.get, "/files/user/boat.jpg")
            #expect(stored.text == "content")
            #expect(stored["x-oss-meta-colour"] == "red")
            #expect(stored["cache-control"] == "no-cache")
            // The type of the file's part, since no field has another.
            #expect(stored.fields[.contentType] == "image/jpeg")
        }
    }

    @Test("responds as the form requests")
    func answers() async throws {
        try await OSSSandbox.run { sandbox async throws in
            #expect(try await post(signed(sandbox, fields: [("key", "a"), ("success_action_status", "200")]), sandbox).status == 200)
            #expect(try await post(signed(sandbox, fields: [("key", "a"), ("success_action_status", "999")]), sandbox).status == 204)
            let created = try await post(signed(sandbox, fields: [("key", "a b"), ("success_action_status", "201")]), sandbox)
            #expect(created.status == 201)
            #expect(try created.xml.name == "PostResponse")
            #expect(try created.xml.children.map(\.name) == ["Bucket", "Location", "Key", "ETag"])
            #expect(created.element("Location") == "http://127.0.0.1:4566/files/a%20b")
            #expect(created.element("ETag") == created.fields[.eTag])
            let page = signed(sandbox, fields: [("key", "a b"), ("success_action_redirect", "http://app.example/done?x=1")])
            let redirected = try await post(page, sandbox)
            #expect(redirected.status == 303)
            #expect(redirected.fields[.location]?.hasPrefix("http://app.example/done?x=1&bucket=files&key=a%20b&etag=") == true)
        }
    }

    @Test("refuses what the policy does not allow", arguments: Version.allCases)
    func policies(version: Version) async throws {
        try await OSSSandbox.run { sandbox async throws in
            func refusal(_ form: Form) async throws -> String {
                let answer = try await post(form, sandbox)
                return "\(answer.status) \(answer.code ?? "")"
            }
            let alice = #"["starts-with","$key","alice/"]"#
            #expect(try await refusal(signed(sandbox, version, conditions: alice, fields: [("key", "bob/x")])) == "403 AccessDenied")
            #expect(try await refusal(signed(sandbox, version, lifetime: -5, fields: [("key", "x")])) == "403 AccessDenied")
            let short = #"["content-length-range",1,3]"#
            #expect(try await refusal(signed(sandbox, version, conditions: short, fields: [("key", "x")])) == "400 EntityTooLarge")
            let long = #"["content-length-range",100,300]"#
            #expect(try await refusal(signed(sandbox, version, conditions: long, fields: [("key", "x")])) == "400 EntityTooSmall")
            #expect(try await refusal(signed(sandbox, version, conditions: "1", fields: [("key", "x")])) == "400 InvalidPolicyDocument")
            #expect(try await sandbox.send(.head, "/files/x").status == 404)
        }
    }

    @Test(
        "refuses a repeated field, so that the policy is checked against what is stored",
        arguments: [
            ("Cache-Control", "public"), ("cache-control", "public"), ("Content-Disposition", "inline"), ("Content-Language", "fr"),
            ("X-OSS-Meta-Colour", "blue"), ("x-oss-storage-class", "IA"), ("KEY", "b"),
        ])
    func repeatedFields(name: String, value: String) async throws {
        try await OSSSandbox.run { sandbox async throws in
            let fields = [
                ("Cache-Control", "no-store"), ("Content-Disposition", "attachment"), ("Content-Language", "de"),
                ("x-oss-meta-colour", "red"), ("x-oss-storage-class", "Standard"),
            ]
            let conditions = fields.map { #"{"\#($0.0)":"\#($0.1)"}"# }.joined(separator: ",")
            var form = signed(sandbox, conditions: conditions, fields: [("key", "a")] + fields)
            form.fields.append((name, value))
            let refused = try await post(form, sandbox)
            #expect(refused.status == 400)
            #expect(refused.code == "InvalidArgument", "\(refused.text)")
            #expect(refused.element("ArgumentName") == name)
            #expect(refused.element("ArgumentValue") == value)
            #expect(try await sandbox.send(.get, "/files/a").status == 404)
            form.fields.removeLast()
            #expect(try await post(form, sandbox).status == 204)
        }
    }

    @Test("refuses invalid signatures", arguments: Version.allCases)
    func signatures(version: Version) async throws {
        try await OSSSandbox.run { sandbox async throws in
            func refusal(as keys: (String, String, String?), region: String = OSSSandbox.region) async throws -> String {
                let answer = try await post(signed(sandbox, version, as: keys, region: region, fields: [("key", "x")]), sandbox)
                return "\(answer.status) \(answer.code ?? "")"
            }
            #expect(try await refusal(as: ("LTAIowner", "wrong", nil)) == "403 SignatureDoesNotMatch")
            #expect(try await refusal(as: ("LTAInone", "owner", nil)) == "403 InvalidAccessKeyId")
            #expect(try await refusal(as: ("STS.x", "owner", "CAISx")) == "403 InvalidSecurityToken")
            // A user without permission to write.
            #expect(try await refusal(as: ("LTAIreader", "reader", nil)) == "403 AccessDenied")
            #expect(try await refusal(as: ("LTAIstranger", "stranger", nil)) == "403 AccessDenied")
            if version == .v4 { #expect(try await refusal(as: ("LTAIowner", "owner", nil), region: "cn-beijing") == "400 InvalidArgument") }
        }
    }

    @Test("refuses invalid forms, and forms without the required fields")
    func malformed() async throws {
        try await OSSSandbox.run { sandbox async throws in
            func refusal(_ form: Form) async throws -> String {
                let answer = try await post(form, sandbox)
                return "\(answer.status) \(answer.code ?? "")"
            }
            #expect(try await refusal(signed(sandbox, fields: [])) == "400 InvalidArgument")
            #expect(try await refusal(signed(sandbox, fields: [("key", "/x")])) == "400 InvalidObjectName")
            var form = signed(sandbox, fields: [("key", "x")])
            form.file = nil
            #expect(try await refusal(form) == "400 IncorrectNumberOfFilesInPOSTRequest")
            for name in ["x-oss-credential", "x-oss-date", "x-oss-signature-version"] {
                var form = signed(sandbox, fields: [("key", "x")])
                form.fields.removeAll { $0.0 == name }
                #expect(try await refusal(form) == "400 InvalidArgument", "\(name)")
            }
            // An unsigned policy.
            #expect(try await refusal(Form(fields: [("key", "x"), ("policy", "e30=")])) == "400 InvalidArgument")
            #expect(try await refusal(Form(fields: [("key", "x")])) == "403 AccessDenied")
            #expect(try await refusal(Form(fields: [("key", String(repeating: "x", count: 30_000))])) == "400 FieldItemTooLong")
            let plain = try await sandbox.send(.post, "/files/", [.contentType: "text/plain", .contentLength: "1"], [0x78])
            #expect(plain.status == 400)
            #expect(plain.code == "MalformedPOSTRequest")
            let cut = try await sandbox.send(
                .post, "/files/", [.contentType: "multipart/form-data; boundary=a", .contentLength: "5"], Array("--a\r\n".utf8))
            #expect(cut.status == 400)
            #expect(cut.code == "MalformedPOSTRequest")
        }
    }

    @Test("is refused an ACL that a policy denies to PUT")
    func deniedList() async throws {
        try await OSSSandbox.run { sandbox async throws in
            let policy = """
                {"Version":"1","Statement":[{"Effect":"Deny","Principal":["*"],"Action":["oss:PutObject"],"Resource":["acs:oss:*:*:files/*"],\
                "Condition":{"StringEquals":{"oss:x-oss-object-acl":"public-read"}}}]}
                """
            #expect(try await sandbox.send(.put, "/files?policy", document: policy).status == 200)
            #expect(try await sandbox.send(.put, "/files/x", ["x-oss-object-acl": "public-read"], body: [1]).status == 403)
            let open = signed(sandbox, fields: [("key", "x"), ("x-oss-object-acl", "public-read")])
            #expect(try await post(open, sandbox).status == 403)
            let closed = signed(sandbox, fields: [("key", "x"), ("x-oss-object-acl", "private")])
            #expect(try await post(closed, sandbox).status == 204)
        }
    }

    @Test("of Version 4 ages with the sandbox")
    func ages() async throws {
        try await OSSSandbox.run { sandbox async throws in
            let form = signed(sandbox, .v4, lifetime: 600, fields: [("key", "x")])
            #expect(try await post(form, sandbox).status == 204)
            try await sandbox.cloud.age(by: .seconds(700))
            let late = try await post(form, sandbox)
            #expect(late.status == 403)
            #expect(late.element("Message") == "Invalid according to Policy: Policy expired.")
        }
    }

    @Test("calls the app's server, with the variables in the form's fields")
    func callback() async throws {
        let asked = Mutex<[String]>([])
        try await OSSSandbox.run(outbound: { request async throws in
            asked.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            return OutboundResponse(status: 200, body: Array(#"{"ok":true}"#.utf8))
        }) { sandbox async throws in
            let callback = #"{"callbackUrl":"http://app.example/cb","callbackBody":"o=${object}&who=${x:who}"}"#
            let form = signed(sandbox, fields: [("key", "x"), ("callback", Array(callback.utf8).base64), ("x:who", "ann")])
            let answer = try await post(form, sandbox)
            #expect(answer.status == 200)
            #expect(answer.text == #"{"ok":true}"#)
        }
        #expect(asked.withLock { $0 } == ["o=x&who=ann"])
    }
}

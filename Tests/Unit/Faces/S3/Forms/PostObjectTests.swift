import Cloud
import Fixtures
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@testable import S3Face

@Suite("PostObject, a browser's form")
struct PostObjectTests {
    /// A form of a test.
    struct Form {
        var fields: [(String, String)] = [("key", "public/${filename}")]
        var filename: String? = "hello.txt"
        var content = "hello"
        var hasFile = true

        /// A form that the root user has signed with Version 4.
        static func signed(
            at now: Timestamp, conditions: String = #"["starts-with","$key",""]"#, _ fields: [(String, String)] = [],
            secret: String = "test", lifetime: Duration = .seconds(600)
        ) -> Form {
            var form = Form()
            let scope = CredentialScope(date: now.dateStamp, region: "us-east-1", service: "s3")
            let signing = [
                ("x-amz-algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", "test/\(scope.text)"), ("x-amz-date", now.basic),
            ]
            let own = signing.map { #"{"\#($0.0)":"\#($0.1)"}"# }.joined(separator: ",")
            let policy = Array(
                #"{"expiration":"\#((now + lifetime).iso8601)","conditions":[{"bucket":"files"},\#(conditions),\#(own)]}"#.utf8
            ).base64
            form.fields += fields + signing + [("Policy", policy)]
            form.fields.append(("x-amz-signature", SignatureV4.signature(ofPolicy: policy, secret: secret, scope: scope)))
            return form
        }

        var body: [UInt8] {
            var text = ""
            for (name, value) in fields { text += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n" }
            if hasFile {
                let filename = filename.map { "; filename=\"\($0)\"" } ?? ""
                text += "--b\r\nContent-Disposition: form-data; name=\"file\"\(filename)\r\n\r\n\(content)\r\n"
                // Fields after the file are ignored.
                text += "--b\r\nContent-Disposition: form-data; name=\"acl\"\r\n\r\nnonsense\r\n"
            }
            return Array("\(text)--b--\r\n".utf8)
        }
    }

    private func post(
        _ form: Form, to s3: S3Sandbox, _ target: String = "/files", bucketFromHost: String? = nil
    ) async throws -> FaceAnswer {
        try await s3.send(
            .post, target, ["Content-Type": "multipart/form-data; boundary=\"b\""], body: form.body, as: .nobody,
            bucketFromHost: bucketFromHost)
    }

    private func openBucket(_ s3: S3Sandbox) async throws {
        let policy = """
            {"Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:PutObject","Resource":"arn:aws:s3:::files/public/*"}]}
            """
        // The account's default public access block would refuse the policy.
        #expect(try await s3.send(.delete, "/files?publicAccessBlock").status == 204)
        let answer = try await s3.send(.put, "/files?policy", body: Array(policy.utf8))
        #expect(answer.status == 204, "\(answer.text)")
    }

    @Test("writes the object that its fields describe, if signed")
    func signed() async throws {
        try await S3Sandbox.run { s3 async throws in
            let form = Form.signed(
                at: s3.cloud.clock.now,
                conditions:
                    #"["starts-with","$key","public/"],["starts-with","$Content-Type","text/"],{"x-amz-meta-colour":"red"},["content-length-range",1,5]"#,
                [("Content-Type", "text/html"), ("X-Amz-Meta-Colour", "red")])
            let answer = try await post(form, to: s3)
            #expect(answer.status == 204, "\(answer.text)")
            #expect(answer.body.isEmpty, "\(answer.text)")
            #expect(answer["ETag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
            #expect(answer["x-amz-checksum-crc64nvme"] != nil)
            #expect(answer["Location"] == "http://localhost:4566/files/public%2Fhello.txt")
            #expect(answer.journal.operation == "PostObject")
            #expect(answer.journal.caller == "arn:aws:iam::000000000000:root")
            let read = try await s3.send(.get, "/files/public/hello.txt")
            #expect(read.text == "hello")
            #expect(read["Content-Type"] == "text/html")
            #expect(read["x-amz-meta-colour"] == "red")
        }
    }

    @Test("computes the CRC of OSS if the bucket is shared with OSS")
    func checkOfOSS() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.share("files")
            #expect(try await post(.signed(at: s3.cloud.clock.now), to: s3).status == 204)
            #expect(try s3.checkOfOSS("public/hello.txt") == S3Sandbox.checkOfOSS(of: "hello"))
        }
    }

    @Test("can be sent to the bucket's host name")
    func virtualHost() async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await post(.signed(at: s3.cloud.clock.now), to: s3, "/", bucketFromHost: "files")
            #expect(answer.status == 204, "\(answer.text)")
            #expect(answer["Location"] == "http://localhost:4566/public%2Fhello.txt", "\(answer.text)")
        }
    }

    @Test("is anonymous without a signature")
    func anonymous() async throws {
        try await S3Sandbox.run { s3 async throws in
            let refusal = try await post(Form(), to: s3)
            #expect(refusal.status == 403)
            #expect(refusal.code == "AccessDenied")
            #expect(refusal.detail("Message") == "Access Denied")
            try await openBucket(s3)
            #expect(try await post(Form(), to: s3).status == 204)
            #expect(try await s3.send(.get, "/files/public/hello.txt").text == "hello")
        }
    }

    @Test("responds as its fields request")
    func answers() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await openBucket(s3)
            func answer(_ fields: (String, String)...) async throws -> FaceAnswer {
                try await post(Form(fields: [("key", "public/a b.txt")] + fields), to: s3)
            }
            let created = try await answer(("success_action_status", "201"))
            #expect(created.status == 201)
            #expect(created["Content-Type"] == "application/xml")
            let document = try created.xml
            #expect(document.name == "PostResponse")
            #expect(document.namespace.isEmpty)
            #expect(document.children.map(\.name) == ["Location", "Bucket", "Key", "ETag"])
            #expect(document.child("Location")?.text == "http://localhost:4566/files/public%2Fa%20b.txt")
            #expect(document.child("Key")?.text == "public/a b.txt")
            #expect(document.child("ETag")?.text == created["ETag"])
            let ok = try await answer(("success_action_status", "200"))
            #expect(ok.status == 200)
            #expect(ok.body.isEmpty)
            #expect(try await answer(("success_action_status", "404")).status == 204)
            let redirection = try await answer(("success_action_redirect", "https://app.example/done?x=1"))
            #expect(redirection.status == 303)
            #expect(
                redirection["Location"]
                    == "https://app.example/done?x=1&bucket=files&key=public%2Fa+b.txt&etag=%225d41402abc4b2a76b9719d911017c592%22")
            #expect(try await answer(("redirect", "http://app.example/")).status == 303)
            #expect(try await answer(("success_action_redirect", "/relative")).status == 204)
        }
    }

    @Test("enforces the length that its policy allows", arguments: [("", "EntityTooSmall"), ("12345678901", "EntityTooLarge")])
    func length(content: String, code: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            var form = Form.signed(
                at: s3.cloud.clock.now, conditions: #"["starts-with","$key",""],["content-length-range","1","10"]"#)
            form.content = content
            let refusal = try await post(form, to: s3)
            #expect(refusal.status == 400)
            #expect(refusal.code == code)
            #expect(refusal.detail("ProposedSize") == String(content.utf8.count))
            #expect(refusal.detail(content.isEmpty ? "MinSizeAllowed" : "MaxSizeAllowed") == (content.isEmpty ? "1" : "10"))
            form.content = "1234567890"
            #expect(try await post(form, to: s3).status == 204)
        }
    }

    @Test(
        "is refused if it repeats a field, so that the policy is checked against what is stored",
        arguments: [
            ("Content-Type", "text/html"), ("content-type", "text/html"), ("Cache-Control", "public"), ("x-amz-meta-colour", "blue"),
            ("X-Amz-Storage-Class", "GLACIER"), ("x-amz-website-redirect-location", "/evil"), ("KEY", "other"),
            ("success_action_status", "201"), ("x-amz-meta-colour", "red"),
        ])
    func repeatedFields(name: String, value: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let fields = [
                ("Content-Type", "image/png"), ("Cache-Control", "no-store"), ("x-amz-meta-colour", "red"),
                ("x-amz-storage-class", "STANDARD"), ("x-amz-website-redirect-location", "/ok"), ("success_action_status", "200"),
            ]
            let conditions = fields.map { #"{"\#($0.0)":"\#($0.1)"}"# }.joined(separator: ",") + #",["starts-with","$key",""]"#
            var form = Form.signed(at: s3.cloud.clock.now, conditions: conditions, fields)
            form.fields.append((name, value))
            let refused = try await post(form, to: s3)
            #expect(refused.status == 400)
            #expect(refused.code == "InvalidArgument", "\(refused.text)")
            #expect(refused.detail("ArgumentName") == name)
            #expect(refused.detail("ArgumentValue") == value)
            #expect(try await s3.send(.get, "/files/public/hello.txt").text == "0123456789")
            form.fields.removeLast()
            form.fields += [("x-ignore-a", "1"), ("X-Ignore-A", "2")]
            #expect(try await post(form, to: s3).status == 200)
        }
    }

    @Test("is refused if it was altered or is unsigned, with the string to sign")
    func forgery() async throws {
        try await S3Sandbox.run { s3 async throws in
            let wrong = try await post(.signed(at: s3.cloud.clock.now, secret: "wrong"), to: s3)
            #expect(wrong.status == 403)
            #expect(wrong.code == "SignatureDoesNotMatch")
            #expect(wrong.detail("AWSAccessKeyId") == "test")
            #expect(wrong.detail("CanonicalRequest") == nil)
            #expect(wrong.detail("StringToSign")?.isEmpty == false)
            var form = Form.signed(at: s3.cloud.clock.now)
            form.fields.append(("x-amz-meta-more", "1"))
            let extra = try await post(form, to: s3)
            #expect(extra.status == 403)
            #expect(extra.detail("Message") == "Invalid according to Policy: Extra input fields: x-amz-meta-more")
            form = .signed(at: s3.cloud.clock.now)
            form.fields.removeAll { $0.0 == "x-amz-signature" }
            let unsigned = try await post(form, to: s3)
            #expect(unsigned.status == 400)
            #expect(unsigned.code == "InvalidArgument")
            #expect(unsigned.detail("ArgumentName") == "X-Amz-Signature")
            #expect(
                unsigned.detail("Message")
                    == "Bucket POST must contain a field named 'X-Amz-Signature'.  If it is specified, please check the order of the fields."
            )
        }
    }

    @Test("expires with its policy, earlier after an aging of the sandbox")
    func expiry() async throws {
        try await S3Sandbox.run { s3 async throws in
            let form = Form.signed(at: s3.cloud.clock.now)
            #expect(try await post(form, to: s3).status == 204)
            try await s3.cloud.age(by: .seconds(601))
            let refusal = try await post(form, to: s3)
            #expect(refusal.status == 403)
            #expect(refusal.detail("Message") == "Invalid according to Policy: Policy expired.")
        }
    }

    @Test("requires a key and a file")
    func incomplete() async throws {
        try await S3Sandbox.run { s3 async throws in
            let keyless = try await post(Form(fields: [("acl", "private")]), to: s3)
            #expect(keyless.status == 400)
            #expect(keyless.code == "InvalidArgument")
            #expect(keyless.detail("ArgumentName") == "key")
            let empty = try await post(Form(fields: [("key", "${filename}")], filename: ""), to: s3)
            #expect(empty.status == 400)
            #expect(empty.code == "UserKeyMustBeSpecified")
            let fileless = try await post(Form(hasFile: false), to: s3)
            #expect(fileless.status == 400)
            #expect(fileless.code == "InvalidArgument")
            #expect(fileless.detail("ArgumentValue") == "0")
            #expect(fileless.detail("Message") == "POST requires exactly one file upload per request.")
            let long = try await post(Form(fields: [("key", String(repeating: "k", count: 1025))]), to: s3)
            #expect(long.status == 400)
            #expect(long.code == "KeyTooLongError")
            let nowhere = try await post(Form(), to: s3, "/nowhere")
            #expect(nowhere.status == 404)
            #expect(nowhere.code == "NoSuchBucket")
        }
    }

    @Test("keeps the variable in its key if the file has no name")
    func nameless() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await openBucket(s3)
            #expect(try await post(Form(filename: nil), to: s3).status == 204)
            #expect(try await s3.send(.head, "/files/public/%24%7Bfilename%7D").status == 200)
        }
    }

    @Test("compares its file with a checksum")
    func checksums() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await openBucket(s3)
            func answer(_ checksum: String) async throws -> FaceAnswer {
                try await post(Form(fields: [("key", "public/x"), ("x-amz-checksum-crc32", checksum)]), to: s3)
            }
            let good = try await answer("NhCmhg==")
            #expect(good.status == 204, "\(good.text)")
            #expect(good["x-amz-checksum-crc32"] == "NhCmhg==", "\(good.text)")
            let bad = try await answer("AAAAAA==")
            #expect(bad.status == 400)
            #expect(bad.code == "BadDigest")
            #expect(try await answer("sailorjerry").code == "InvalidRequest")
        }
    }

    @Test("requires its content type and a boundary")
    func contentType() async throws {
        try await S3Sandbox.run { s3 async throws in
            let form = Form.signed(at: s3.cloud.clock.now)
            let other = try await s3.send(.post, "/files", ["Content-Type": "text/html"], body: form.body, as: .nobody)
            #expect(other.status == 412)
            #expect(other.code == "PreconditionFailed")
            let boundless = try await s3.send(.post, "/files", ["Content-Type": "multipart/form-data"], body: form.body, as: .nobody)
            #expect(boundless.status == 400)
            #expect(boundless.code == "MalformedPOSTRequest")
        }
    }

    @Test("is authorized as PutObject, with condition keys for forms")
    func conditionKeys() async throws {
        try await S3Sandbox.run { s3 async throws in
            let policy = """
                {"Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:PutObject","Resource":"arn:aws:s3:::files/*",
                  "Condition":{"StringEquals":{"s3:authType":"POST","s3:signatureversion":"AWS4-HMAC-SHA256"}}}]}
                """
            #expect(try await s3.send(.put, "/files?policy", body: Array(policy.utf8)).status == 204)
            let refusal = try await post(.signed(at: s3.cloud.clock.now), to: s3)
            #expect(refusal.status == 403)
            #expect(refusal.journal.decisions.map(\.action) == ["s3:PutObject"])
            #expect(try await s3.put("public/x", "x").status == 200)
        }
    }

    /// Recorded from AWS for a form with fields in UTF-8.
    @Test("stores metadata outside of ASCII, and returns it in the encoded words of RFC 2047")
    func metadata() async throws {
        try await S3Sandbox.run { s3 async throws in
            let fields = [
                ("x-amz-meta-nonascii", "ÄMÄZÕÑ S3", "=?UTF-8?Q?=C3=84M=C3=84Z=C3=95=C3=91_S3?="),
                (
                    "x-amz-meta-nonascii-2", "test_—_file%E2%80%94_é_2👑.pdf",
                    "=?UTF-8?Q?test=5F=E2=80=94=5Ffile%E2%80%94=5F=C3=A9=5F2=F0=9F=91=91.pdf?="
                ),
                ("x-amz-meta-utf-8", "\u{0}\u{1}\u{2}\u{3}\u{4}", "=?UTF-8?B?AAECAwQ=?="),
                ("x-amz-meta-q-encoded", "=?UTF-8?Q?actually-ascii?=", "=?UTF-8?Q?actually-ascii?="),
                ("x-amz-meta-b-encoded", "=?UTF-8?B?YWJj?=", "=?UTF-8?B?YWJj?="), ("x-amz-meta-space", " a\t", " a\t"),
            ]
            let conditions = (["key", "success_action_status"] + fields.map(\.0)).map { #"["starts-with","$\#($0)",""]"# }
            var form = Form.signed(
                at: s3.cloud.clock.now, conditions: conditions.joined(separator: ","),
                fields.map { ($0.0, $0.1) } + [("success_action_status", "201")])
            form.fields[0].1 = "public/test_unicode—_file.pdf"
            let answer = try await post(form, to: s3)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(answer["Location"]?.hasSuffix("test_unicode%E2%80%94_file.pdf") == true)
            #expect(try answer.xml.child("Key")?.text == "public/test_unicode—_file.pdf")
            let head = try await s3.send(.head, "/files/public/test_unicode%E2%80%94_file.pdf")
            for (name, _, shown) in fields { #expect(head[name] == shown, "\(name)") }
        }
    }

    /// Recorded from AWS: characters that ISO-8859-1 does not have become spaces.
    @Test("stores headers outside of ASCII, and returns them in ISO-8859-1")
    func headersOutsideASCII() async throws {
        try await S3Sandbox.run { s3 async throws in
            let fields = [
                ("Cache-Control", "non-ascii-%E2%80%94_—_é_"), ("Content-Disposition", "filename=\"test_—_é_2.pdf\""),
            ]
            let conditions = (["key"] + fields.map(\.0)).map { #"["starts-with","$\#($0)",""]"# }
            var form = Form.signed(at: s3.cloud.clock.now, conditions: conditions.joined(separator: ","), fields)
            form.fields[0].1 = "public/form"
            #expect(try await post(form, to: s3).status == 204)
            let head = try await s3.send(.head, "/files/public/form")
            #expect(head.bytes(of: .cacheControl) == Array("non-ascii-%E2%80%94_ _".utf8) + [0xE9] + Array("_".utf8))
            #expect(head.bytes(of: .contentDisposition) == Array("filename=\"test_ _".utf8) + [0xE9] + Array("_2.pdf\"".utf8))
            let override = try await s3.send(.get, "/files/public/form?response-cache-control=%C3%A9")
            #expect(override.bytes(of: .cacheControl) == [0xE9])
            try await s3.put("public/put", "x", ["Cache-Control": "é"])
            #expect(try await s3.send(.head, "/files/public/put").bytes(of: .cacheControl) == Array("é".utf8))
        }
    }
}
